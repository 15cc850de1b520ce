-- What counts in a phpBB: for laurel import, laurel compare and the page of settings. A forum counts if guests (user 1) may
-- read it. Likes are those of the extension Thanks for posts: without it, leave the second half out.
SELECT p.post_time AS at, p.poster_id AS `user`,
  CASE WHEN p.post_id = t.topic_first_post_id THEN 'publish' ELSE 'comment' END AS action, CONCAT('t', p.topic_id) AS target,
  CASE WHEN p.post_id = t.topic_first_post_id THEN '' ELSE CONCAT('p', p.post_id) END AS ref,
  CASE WHEN p.post_id = t.topic_first_post_id THEN t.topic_title ELSE '' END AS title_html,
  NULL AS other
FROM phpbb_posts p JOIN phpbb_topics t ON t.topic_id = p.topic_id JOIN phpbb_forums f ON f.forum_id = p.forum_id
  JOIN phpbb_users u ON u.user_id = p.poster_id
WHERE p.post_visibility = 1 AND t.topic_visibility = 1 AND f.forum_password = '' AND u.user_id > 1 AND u.user_type <> 2
  AND f.forum_id IN (SELECT s.forum_id FROM (
    SELECT a.forum_id, CASE WHEN a.auth_role_id > 0 THEN r.auth_setting ELSE a.auth_setting END AS setting
    FROM (SELECT forum_id, auth_option_id, auth_role_id, auth_setting FROM phpbb_acl_users WHERE user_id = 1 UNION ALL
      SELECT g.forum_id, g.auth_option_id, g.auth_role_id, g.auth_setting FROM phpbb_acl_groups g
      JOIN phpbb_user_group m ON m.group_id = g.group_id WHERE m.user_id = 1 AND m.user_pending = 0) a
    LEFT JOIN phpbb_acl_roles_data r ON r.role_id = a.auth_role_id
    JOIN phpbb_acl_options o ON o.auth_option = 'f_read'
      AND o.auth_option_id = CASE WHEN a.auth_role_id > 0 THEN r.auth_option_id ELSE a.auth_option_id END
    ) s GROUP BY s.forum_id HAVING MIN(s.setting) = 1)
UNION ALL
SELECT h.thanks_time AS at, h.user_id AS `user`, 'like' AS action,
  CASE WHEN p.post_id = t.topic_first_post_id THEN CONCAT('t', p.topic_id) ELSE CONCAT('p', p.post_id) END AS target,
  '' AS ref, '' AS title_html, p.poster_id AS other
FROM phpbb_thanks h JOIN phpbb_posts p ON p.post_id = h.post_id JOIN phpbb_topics t ON t.topic_id = p.topic_id
  JOIN phpbb_forums f ON f.forum_id = p.forum_id JOIN phpbb_users u ON u.user_id = h.user_id
WHERE p.post_visibility = 1 AND t.topic_visibility = 1 AND f.forum_password = '' AND u.user_id > 1 AND u.user_type <> 2
  AND f.forum_id IN (SELECT s.forum_id FROM (
    SELECT a.forum_id, CASE WHEN a.auth_role_id > 0 THEN r.auth_setting ELSE a.auth_setting END AS setting
    FROM (SELECT forum_id, auth_option_id, auth_role_id, auth_setting FROM phpbb_acl_users WHERE user_id = 1 UNION ALL
      SELECT g.forum_id, g.auth_option_id, g.auth_role_id, g.auth_setting FROM phpbb_acl_groups g
      JOIN phpbb_user_group m ON m.group_id = g.group_id WHERE m.user_id = 1 AND m.user_pending = 0) a
    LEFT JOIN phpbb_acl_roles_data r ON r.role_id = a.auth_role_id
    JOIN phpbb_acl_options o ON o.auth_option = 'f_read'
      AND o.auth_option_id = CASE WHEN a.auth_role_id > 0 THEN r.auth_option_id ELSE a.auth_option_id END
    ) s GROUP BY s.forum_id HAVING MIN(s.setting) = 1);
