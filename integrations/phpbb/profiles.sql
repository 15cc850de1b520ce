-- Names and private groups of a phpBB, for laurel import --profiles, as the extension maps its groups: the lines of CASE.

SELECT u.user_id AS id, u.username AS name_html, COALESCE((SELECT GROUP_CONCAT(DISTINCT CASE g.group_name
    WHEN 'ADMINISTRATORS' THEN 'staff' WHEN 'GLOBAL_MODERATORS' THEN 'staff' END SEPARATOR '|')
  FROM phpbb_user_group m JOIN phpbb_groups g ON g.group_id = m.group_id
  WHERE m.user_id = u.user_id AND m.user_pending = 0), 'none') AS `groups`
FROM phpbb_users u WHERE u.user_type <> 2;
