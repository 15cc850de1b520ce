-- What counts in a phpBB: for laurel import, laurel compare and the page of settings. Likes are those of the extension
-- Thanks for posts: without it, leave the second half out.
SELECT p.post_time AS at, p.poster_id AS `user`,
  CASE WHEN p.post_id = t.topic_first_post_id THEN 'publish' ELSE 'comment' END AS action, CONCAT('t', p.topic_id) AS target,
  CASE WHEN p.post_id = t.topic_first_post_id THEN '' ELSE CONCAT('p', p.post_id) END AS ref,
  CASE WHEN p.post_id = t.topic_first_post_id THEN t.topic_title ELSE '' END AS title
FROM phpbb_posts p JOIN phpbb_topics t ON t.topic_id = p.topic_id JOIN phpbb_forums f ON f.forum_id = p.forum_id
  JOIN phpbb_users u ON u.user_id = p.poster_id
WHERE p.post_visibility = 1 AND t.topic_visibility = 1 AND f.forum_password = '' AND u.user_id > 1 AND u.user_type <> 2
UNION ALL
SELECT h.thanks_time AS at, h.user_id AS `user`, 'like' AS action,
  CASE WHEN p.post_id = t.topic_first_post_id THEN CONCAT('t', p.topic_id) ELSE CONCAT('p', p.post_id) END AS target,
  '' AS ref, '' AS title
FROM phpbb_thanks h JOIN phpbb_posts p ON p.post_id = h.post_id JOIN phpbb_topics t ON t.topic_id = p.topic_id
  JOIN phpbb_forums f ON f.forum_id = p.forum_id JOIN phpbb_users u ON u.user_id = h.user_id
WHERE p.post_visibility = 1 AND t.topic_visibility = 1 AND f.forum_password = '' AND u.user_id > 1 AND u.user_type <> 2;
