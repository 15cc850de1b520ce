-- What counts in a Discourse: for the Data Explorer, psql --csv and laurel compare. Titles are those that guests read;
-- what members write elsewhere counts without one.
SELECT (extract(epoch FROM p.created_at) * 1000)::bigint AS at, p.user_id AS "user",
  CASE WHEN p.post_number = 1 THEN 'publish' ELSE 'comment' END AS action, 't' || p.topic_id AS target,
  CASE WHEN p.post_number > 1 THEN 'p' || p.id END AS ref,
  CASE WHEN p.post_number = 1 AND t.visible AND NOT c.read_restricted THEN t.title END AS title,
  CASE WHEN p.post_number = 1 AND t.visible AND NOT c.read_restricted THEN 'c' || t.category_id END AS groups,
  NULL AS other
FROM posts p JOIN topics t ON t.id = p.topic_id LEFT JOIN categories c ON c.id = t.category_id
WHERE p.deleted_at IS NULL AND t.deleted_at IS NULL AND t.archetype <> 'private_message' AND p.post_type = 1
  AND NOT p.hidden AND p.user_id > 0
UNION ALL
SELECT (extract(epoch FROM a.created_at) * 1000)::bigint AS at, a.user_id AS "user", 'like' AS action,
  CASE WHEN p.post_number = 1 THEN 't' || p.topic_id ELSE 'p' || p.id END AS target, NULL AS ref, NULL AS title,
  NULL AS groups, p.user_id AS other
FROM post_actions a JOIN posts p ON p.id = a.post_id JOIN topics t ON t.id = p.topic_id
WHERE a.post_action_type_id = 2 AND a.deleted_at IS NULL AND p.deleted_at IS NULL
  AND t.archetype <> 'private_message' AND a.user_id > 0;
