-- What users did, a statement for each table: who, the action or answer's key of it, target, ref, when it was done
-- first, when that changed and when it was undone last, and whether it stands.
SELECT user_id, 'comment', CONCAT('t', question_id), CONCAT('p', id), created_at, NULL, NULL, status = 1
FROM answer WHERE created_at >= SINCE;
SELECT user_id, 'comment', CONCAT('t', question_id), CONCAT('p', id), created_at, NULL, NULL, status = 1
FROM comment WHERE created_at >= SINCE;
SELECT user_id, 'bookmark', CONCAT(CASE WHEN CONCAT('', object_id) LIKE '1001%' THEN 't' ELSE 'p' END, object_id), '',
  created_at, NULL, NULL, 1 = 1
FROM collection WHERE created_at >= SINCE;
SELECT a.user_id, c.`key`, CASE WHEN c.`key` IN ('question.voted_up', 'answer.voted_up')
  THEN CONCAT('p', a.object_id, '/', a.trigger_user_id)
  ELSE CONCAT(CASE WHEN CONCAT('', a.object_id) LIKE '1001%' THEN 't' ELSE 'p' END, a.object_id) END, '',
  a.created_at, a.updated_at, a.cancelled_at, a.cancelled = 0
FROM activity a JOIN config c ON c.id = a.activity_type
WHERE a.updated_at >= VOTES AND c.`key` IN ('question.vote_up', 'answer.vote_up', 'comment.vote_up',
  'question.voted_up', 'answer.voted_up', 'answer.accepted')
ORDER BY a.id
