CREATE TABLE phpbb_topics (topic_id INTEGER, topic_first_post_id INTEGER, topic_visibility INTEGER, topic_title TEXT);
CREATE TABLE phpbb_posts (post_id INTEGER, topic_id INTEGER, poster_id INTEGER, post_time INTEGER, post_visibility INTEGER, forum_id INTEGER);
CREATE TABLE phpbb_thanks (post_id INTEGER, user_id INTEGER, thanks_time INTEGER);
CREATE TABLE phpbb_users (user_id INTEGER, user_type INTEGER);
CREATE TABLE phpbb_forums (forum_id INTEGER, forum_password TEXT);
INSERT INTO phpbb_forums VALUES (1, '');
INSERT INTO phpbb_users VALUES (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21)
INSERT INTO phpbb_topics SELECT i, 100000000 + i, 1, 'T' FROM n;

-- publish, comment
INSERT INTO phpbb_posts VALUES (:post, :topic, :user, :at, 1, 1)
-- like
INSERT INTO phpbb_thanks VALUES (:post, :user, :at)
