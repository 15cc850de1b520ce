CREATE TABLE phpbb_topics (topic_id INTEGER, topic_first_post_id INTEGER, topic_visibility INTEGER, topic_title TEXT);
CREATE TABLE phpbb_posts (post_id INTEGER, topic_id INTEGER, poster_id INTEGER, post_time INTEGER, post_visibility INTEGER, forum_id INTEGER);
CREATE TABLE phpbb_thanks (post_id INTEGER, user_id INTEGER, thanks_time INTEGER);
CREATE TABLE phpbb_users (user_id INTEGER, user_type INTEGER);
CREATE TABLE phpbb_forums (forum_id INTEGER, forum_password TEXT);
CREATE TABLE phpbb_acl_options (auth_option_id INTEGER, auth_option TEXT);
CREATE TABLE phpbb_acl_roles_data (role_id INTEGER, auth_option_id INTEGER, auth_setting INTEGER);
CREATE TABLE phpbb_acl_users (user_id INTEGER, forum_id INTEGER, auth_option_id INTEGER, auth_role_id INTEGER, auth_setting INTEGER);
CREATE TABLE phpbb_acl_groups (group_id INTEGER, forum_id INTEGER, auth_option_id INTEGER, auth_role_id INTEGER, auth_setting INTEGER);
CREATE TABLE phpbb_user_group (user_id INTEGER, group_id INTEGER, user_pending INTEGER);
INSERT INTO phpbb_acl_options VALUES (20, 'f_post'), (21, 'f_read');
INSERT INTO phpbb_acl_roles_data VALUES (17, 21, 1), (17, 20, 1);
INSERT INTO phpbb_user_group VALUES (1, 1, 0);
INSERT INTO phpbb_acl_groups VALUES (1, 1, 0, 17, 0);
INSERT INTO phpbb_forums VALUES (1, '');
INSERT INTO phpbb_users VALUES (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21)
INSERT INTO phpbb_topics SELECT i, 100000000 + i, 1, 'T' FROM n;

-- publish, comment
INSERT INTO phpbb_posts VALUES (:post, :topic, :user, :at, 1, 1)
-- like
INSERT INTO phpbb_thanks VALUES (:post, :user, :at)
