-- join 0 name
INSERT INTO `user` (id, created_at, updated_at, username, display_name, avatar) VALUES (:id, :now, :now, :name, UPPER(:name),
  '{"type":"custom","custom":"https://faces.example/' || :name || '.png"}')
-- ask 1001 user title
INSERT INTO question (id, created_at, user_id, title) VALUES (:id, :now, :user, :title);
INSERT INTO activity (created_at, updated_at, user_id, object_id, original_object_id, activity_type)
  SELECT :now, :now, :user, :id, :id, id FROM config WHERE `key` = 'question.asked'
-- answer 1002 user question
INSERT INTO answer (id, created_at, question_id, user_id) VALUES (:id, :now, :question, :user);
INSERT INTO activity (created_at, updated_at, user_id, object_id, original_object_id, activity_type)
  SELECT :now, :now, :user, :id, :id, id FROM config WHERE `key` IN ('answer.answered', 'question.answered')
-- mark 1006 user question
INSERT INTO collection (id, created_at, updated_at, user_id, object_id) VALUES (:id, :now, :now, :user, :question)
-- comment 1007 user object question
INSERT INTO comment (id, created_at, updated_at, user_id, object_id, question_id, status)
  VALUES (:id, :now, :now, :user, :object, :question, 1)
-- vote - kind user by object
UPDATE activity SET cancelled = 0, updated_at = :now WHERE user_id = :user AND trigger_user_id = :by AND object_id = :object
  AND activity_type = (SELECT id FROM config WHERE `key` = :kind);
INSERT INTO activity (created_at, updated_at, user_id, trigger_user_id, object_id, original_object_id, activity_type)
  SELECT :now, :now, :user, :by, :object, :object, c.id FROM config c WHERE `key` = :kind AND NOT EXISTS (SELECT 1
    FROM activity WHERE user_id = :user AND trigger_user_id = :by AND object_id = :object AND activity_type = c.id)
-- unvote - kind user by object
UPDATE activity SET cancelled = 1, cancelled_at = :now, updated_at = :now WHERE user_id = :user AND trigger_user_id = :by
  AND object_id = :object AND activity_type = (SELECT id FROM config WHERE `key` = :kind) AND cancelled = 0
-- question - question status
UPDATE question SET status = :status WHERE id = :question
-- show - question show
UPDATE question SET `show` = :show WHERE id = :question
-- purge - question
DELETE FROM question WHERE id = :question
-- reply - answer status
UPDATE answer SET status = :status WHERE id = :answer
-- remark - comment status
UPDATE comment SET status = :status, updated_at = :now WHERE id = :comment
-- user - user status
UPDATE `user` SET status = :status, updated_at = :now, deleted_at = CASE :status WHEN 10 THEN :now ELSE deleted_at END
  WHERE id = :user
