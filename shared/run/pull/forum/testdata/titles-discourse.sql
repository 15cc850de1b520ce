CREATE TABLE categories (id INTEGER, read_restricted BOOLEAN);
CREATE TABLE topics (id INTEGER, title TEXT, archetype TEXT, deleted_at TEXT, category_id INTEGER, visible BOOLEAN);
CREATE TABLE posts (id INTEGER, topic_id INTEGER, user_id INTEGER, post_number INTEGER, post_type INTEGER,
  hidden BOOLEAN, created_at TEXT, deleted_at TEXT);
CREATE TABLE post_actions (post_id INTEGER, user_id INTEGER, post_action_type_id INTEGER,
  created_at TEXT, deleted_at TEXT);
INSERT INTO categories VALUES (4, false), (5, true);
INSERT INTO topics VALUES (1, 'Open', 'regular', NULL, 4, true), (2, 'Staff', 'regular', NULL, 5, true),
  (3, 'Unlisted', 'regular', NULL, 4, false), (4, 'Nowhere', 'regular', NULL, NULL, true),
  (5, 'Lost category', 'regular', NULL, 77, true), (6, 'Message', 'private_message', NULL, NULL, true),
  (7, 'Notice', 'banner', NULL, 4, true);
INSERT INTO posts SELECT 10 + id, id, 9, 1, 1, false, '2026-11-10 10:00:00', NULL FROM topics;
INSERT INTO posts VALUES (30, 2, 9, 2, 1, false, '2026-11-10 10:00:00', NULL);
INSERT INTO post_actions VALUES (12, 8, 2, '2026-11-10 10:00:00', NULL);
