-- What counts in a Flarum: for laurel import, laurel compare and the page of settings. Without flarum/tags, leave out both
-- conditions on restricted tags that guests do not see. A forum that guests do not see has no titles. The moment of a like is a TIMESTAMP, the others are DATETIMEs in UTC.
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', p.created_at) AS at, p.user_id AS `user`,
  CASE WHEN p.number = 1 THEN 'publish' ELSE 'comment' END AS action, CONCAT('t', p.discussion_id) AS target,
  CASE WHEN p.number > 1 THEN CONCAT('p', p.id) ELSE '' END AS ref, CASE WHEN p.number = 1
  AND EXISTS (SELECT 1 FROM group_permission g WHERE g.group_id = 2 AND g.permission = 'viewForum') THEN d.title ELSE '' END AS title,
  NULL AS other
FROM posts p JOIN discussions d ON d.id = p.discussion_id
WHERE p.type = 'comment' AND p.hidden_at IS NULL AND d.hidden_at IS NULL AND NOT p.is_private AND NOT d.is_private
  AND p.user_id > 0
  AND d.id NOT IN (SELECT i.discussion_id FROM discussion_tag i JOIN tags t ON t.id = i.tag_id WHERE t.is_restricted
    AND EXISTS (SELECT 1 FROM group_permission g WHERE g.group_id = 2 AND g.permission = 'viewForum')
    AND NOT EXISTS (SELECT 1 FROM group_permission g WHERE g.group_id = 2 AND g.permission = REPLACE('tag#.viewForum', '#', t.id)))
UNION ALL
SELECT UNIX_TIMESTAMP(l.created_at) AS at, l.user_id AS `user`, 'like' AS action,
  CASE WHEN p.number = 1 THEN CONCAT('t', p.discussion_id) ELSE CONCAT('p', p.id) END AS target, '' AS ref, '' AS title,
  p.user_id AS other
FROM post_likes l JOIN posts p ON p.id = l.post_id JOIN discussions d ON d.id = p.discussion_id
WHERE p.hidden_at IS NULL AND d.hidden_at IS NULL AND NOT p.is_private AND NOT d.is_private
  AND d.id NOT IN (SELECT i.discussion_id FROM discussion_tag i JOIN tags t ON t.id = i.tag_id WHERE t.is_restricted
    AND EXISTS (SELECT 1 FROM group_permission g WHERE g.group_id = 2 AND g.permission = 'viewForum')
    AND NOT EXISTS (SELECT 1 FROM group_permission g WHERE g.group_id = 2 AND g.permission = REPLACE('tag#.viewForum', '#', t.id)));
