-- What counts in a WordPress, with or without bbPress: for laurel compare. history.sql says more, for laurel import.
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', p.post_date_gmt) AS at, p.post_author AS `user`,
  CASE WHEN p.post_type = 'reply' THEN 'comment' ELSE 'publish' END AS action,
  CONCAT('t', CASE WHEN p.post_type = 'reply' THEN p.post_parent ELSE p.ID END) AS target,
  CASE WHEN p.post_type = 'reply' THEN CONCAT('p', p.ID) ELSE '' END AS ref
FROM wp_posts p JOIN wp_users u ON u.ID = p.post_author
WHERE p.post_type IN ('post', 'topic', 'reply') AND p.post_status IN ('publish', 'closed') AND p.post_password = ''
UNION ALL
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', c.comment_date_gmt) AS at, c.user_id AS `user`, 'comment' AS action,
  CONCAT('t', c.comment_post_ID) AS target, CONCAT('c', c.comment_ID) AS ref
FROM wp_comments c JOIN wp_users u ON u.ID = c.user_id
WHERE c.comment_approved = '1' AND c.comment_type IN ('', 'comment');
