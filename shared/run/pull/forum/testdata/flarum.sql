CREATE TABLE discussions (id INTEGER, title TEXT, hidden_at TEXT, is_private INTEGER);
CREATE TABLE posts (id INTEGER, discussion_id INTEGER, user_id INTEGER, number INTEGER, type TEXT, created_at TEXT, hidden_at TEXT, is_private INTEGER);
CREATE TABLE post_likes (post_id INTEGER, user_id INTEGER, created_at TEXT);
CREATE TABLE tags (id INTEGER, is_restricted INTEGER);
CREATE TABLE group_permission (group_id INTEGER, permission TEXT);
CREATE TABLE discussion_tag (discussion_id INTEGER, tag_id INTEGER);
INSERT INTO tags VALUES (7, 1), (8, 1);
INSERT INTO group_permission VALUES (2, 'viewForum'), (2, 'tag8.viewForum'), (4, 'tag7.viewForum');
INSERT INTO discussion_tag VALUES (1, 8), (90, 7);
INSERT INTO discussions VALUES (90, 'Of the staff', NULL, 0);
INSERT INTO posts VALUES (9000, 90, 3, 1, 'comment', '2026-11-10 10:00:00', NULL, 0);
INSERT INTO post_likes VALUES (9000, 4, '2026-11-10 10:00:00');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21)
INSERT INTO discussions SELECT i, 'T', NULL, 0 FROM n;

-- publish
INSERT INTO posts VALUES (:post, :topic, :user, 1, 'comment', :text, NULL, 0)
-- comment
INSERT INTO posts VALUES (:post, :topic, :user, 2, 'comment', :text, NULL, 0)
-- like
INSERT INTO post_likes VALUES (:post, :user, :text)
