-- Names and private groups of a Flarum, for laurel import --profiles, as the extension maps its groups: the lines of CASE.

SELECT u.id, u.username AS name, COALESCE((SELECT GROUP_CONCAT(DISTINCT CASE g.name_plural
    WHEN 'Admins' THEN 'staff' WHEN 'Mods' THEN 'staff' END SEPARATOR '|')
  FROM group_user m JOIN `groups` g ON g.id = m.group_id WHERE m.user_id = u.id), 'none') AS `groups`
FROM users u;
