CREATE TABLE wp_users (ID INTEGER);
CREATE TABLE wp_posts (ID INTEGER, post_author INTEGER, post_type TEXT, post_status TEXT, post_password TEXT, post_parent INTEGER, post_date_gmt TEXT);
CREATE TABLE wp_comments (comment_ID INTEGER, comment_post_ID INTEGER, user_id INTEGER, comment_date_gmt TEXT, comment_approved TEXT, comment_type TEXT);
INSERT INTO wp_users VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);

-- publish
INSERT INTO wp_posts VALUES (:topic, :user, 'post', 'publish', '', 0, :text)
-- comment
INSERT INTO wp_comments VALUES (:post, :topic, :user, :text, '1', 'comment')
