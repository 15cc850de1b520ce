-- What counts in an apache/answer: for laurel import and laurel compare. Moments are UTC.
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', created_at) AS at, user_id AS `user`, 'publish' AS action,
  CONCAT('t', id) AS target, '' AS ref, title FROM question WHERE status IN (1, 2) AND `show` = 1
UNION ALL
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', created_at) AS at, user_id AS `user`, 'comment' AS action,
  CONCAT('t', question_id) AS target, CONCAT('p', id) AS ref, '' AS title FROM answer WHERE status = 1
UNION ALL
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', created_at) AS at, user_id AS `user`, 'comment' AS action,
  CONCAT('t', question_id) AS target, CONCAT('p', id) AS ref, '' AS title FROM comment WHERE status = 1
UNION ALL
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', created_at) AS at, user_id AS `user`, 'bookmark' AS action,
  CONCAT(CASE WHEN CONCAT('', object_id) LIKE '1001%' THEN 't' ELSE 'p' END, object_id) AS target, '' AS ref, '' AS title FROM collection
UNION ALL
SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', CASE WHEN a.cancelled_at IS NULL THEN a.created_at ELSE a.updated_at END) AS at,
  a.user_id AS `user`, 'like' AS action,
  CONCAT(CASE WHEN c.`key` = 'question.vote_up' THEN 't' ELSE 'p' END, a.object_id) AS target, '' AS ref, '' AS title
FROM activity a JOIN config c ON c.id = a.activity_type
WHERE a.cancelled = 0 AND c.`key` IN ('question.vote_up', 'answer.vote_up', 'comment.vote_up');
