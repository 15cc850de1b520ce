INSERT INTO phpbb_acl_roles_data VALUES (16, 21, 0), (15, 20, 1);
INSERT INTO phpbb_acl_groups VALUES (1, 2, 21, 0, 1), (1, 3, 20, 0, 1), (5, 4, 21, 0, 1), (1, 5, 0, 17, 0),
  (6, 5, 0, 16, 0), (7, 6, 21, 0, 1), (1, 7, 0, 15, 0);
INSERT INTO phpbb_user_group VALUES (1, 6, 0), (1, 7, 1), (2, 5, 0);
INSERT INTO phpbb_acl_users VALUES (1, 8, 21, 0, 1);
INSERT INTO phpbb_forums VALUES (2, ''), (3, ''), (4, ''), (5, ''), (6, ''), (7, ''), (8, ''), (9, 'secret'), (10, '');
DELETE FROM phpbb_topics;
INSERT INTO phpbb_topics SELECT forum_id, 100 + forum_id, 1, 'T' || forum_id || ' &amp; more' FROM phpbb_forums;
INSERT INTO phpbb_posts SELECT 100 + forum_id, forum_id, 3, 1763000000, 1, forum_id FROM phpbb_forums;
INSERT INTO phpbb_thanks SELECT 100 + forum_id, 4, 1763000000 FROM phpbb_forums;
