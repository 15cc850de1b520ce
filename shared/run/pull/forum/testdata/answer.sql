CREATE TABLE question (id INTEGER, user_id INTEGER, created_at TEXT, title TEXT, status INTEGER, `show` INTEGER);
CREATE TABLE answer (id INTEGER, question_id INTEGER, user_id INTEGER, created_at TEXT, status INTEGER);
CREATE TABLE comment (id INTEGER, question_id INTEGER, user_id INTEGER, created_at TEXT, status INTEGER);
CREATE TABLE collection (object_id INTEGER, user_id INTEGER, created_at TEXT);
CREATE TABLE activity (object_id INTEGER, user_id INTEGER, created_at TEXT, updated_at TEXT, cancelled_at TEXT, cancelled INTEGER, activity_type INTEGER);
CREATE TABLE config (id INTEGER, key TEXT);
INSERT INTO config VALUES (1, 'question.vote_up');

-- publish
INSERT INTO question VALUES (:topic, :user, :text, 'T', 1, 1)
-- comment
INSERT INTO answer VALUES (:post, :topic, :user, :text, 1)
-- like
INSERT INTO activity VALUES (:topic, :user, :text, '', NULL, 0, 1)
