-- Names and private groups of a Discourse, for laurel import --profiles, as the rules map its groups: the lines of CASE.

SELECT u.id, COALESCE(NULLIF(u.name, ''), u.username) AS name, COALESCE((SELECT string_agg(DISTINCT CASE g.name
    WHEN 'admins' THEN 'staff' WHEN 'moderators' THEN 'staff' END, '|')
  FROM group_users m JOIN groups g ON g.id = m.group_id WHERE m.user_id = u.id), 'none') AS groups
FROM users u WHERE u.id > 0;
