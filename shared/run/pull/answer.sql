-- What an answer has now. Users: id, deleted, deleted or suspended, name, page, picture, since when, deleted when.
SELECT id, status = 10, status IN (9, 10), display_name, CONCAT('/users/', username), avatar, created_at, deleted_at FROM `user`;
-- Questions: id, author, title, page, listed, when.
SELECT CONCAT('t', id), user_id, title, CONCAT('/questions/', id), status IN (1, 2) AND `show` <> 2, created_at FROM question;
-- What users did, a statement for each table: who, what, to what, ref, other person, when first, when that changed and when it was
-- undone last, whether it stands, whether it comes back where it was.
SELECT user_id, 'comment', CONCAT('t', question_id), CONCAT('p', id), '', created_at, NULL, NULL, status = 1, 1 = 1
FROM answer WHERE created_at >= SINCE;
SELECT user_id, 'comment', CONCAT('t', question_id), CONCAT('p', id), '', created_at, NULL, NULL, status = 1, 1 = 1
FROM comment WHERE created_at >= SINCE;
SELECT user_id, 'bookmark', CONCAT(CASE WHEN CONCAT('', object_id) LIKE '1001%' THEN 't' ELSE 'p' END, object_id), '', '',
  created_at, NULL, NULL, 1 = 1, 1 = 0
FROM collection WHERE created_at >= SINCE;
SELECT a.user_id, CASE WHEN c.`key` LIKE '%.voted_up' THEN 'RECEIVED' WHEN c.`key` LIKE '%.accepted' THEN 'SOLVED' ELSE 'like' END,
  CASE WHEN c.`key` LIKE '%.voted_up' THEN CONCAT('p', a.object_id)
    ELSE CONCAT(CASE WHEN CONCAT('', a.object_id) LIKE '1001%' THEN 't' ELSE 'p' END, a.object_id) END, '',
  CASE WHEN c.`key` LIKE '%.voted_up' THEN CONCAT('', a.trigger_user_id) ELSE '' END,
  a.created_at, a.updated_at, a.cancelled_at, a.cancelled = 0, 1 = 0
FROM activity a JOIN config c ON c.id = a.activity_type
WHERE a.updated_at >= VOTES AND c.`key` IN ('question.vote_up', 'answer.vote_up', 'comment.vote_up',
  'question.voted_up', 'answer.voted_up', 'answer.accepted')
ORDER BY a.id
