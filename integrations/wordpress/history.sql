-- What counts in a WordPress, with or without bbPress, for laurel import: JSON lines.
--
--   mariadb -N --raw --batch wordpress < history.sql > history.jsonl
--
-- Only articles that guests read have a title: those of a bbPress in forums that are public, and whose forums above are.
-- Ids of users, never names; moments as seconds whatever zone the session has. Of the last 60 days it also says
-- what was restored, and what is in the bin or spam, so that reports which were lost are made up for.
SET SESSION group_concat_max_len = 10000;
SET @home = (SELECT option_value FROM wp_options WHERE option_name = 'home');
SET @now = TIMESTAMPDIFF(SECOND, '1970-01-01', UTC_TIMESTAMP());

CREATE TEMPORARY TABLE laurel_entries AS
SELECT p.post_author AS user, IF(p.post_type = 'reply', 'comment', 'publish') AS action, p.ID AS post,
  CONCAT('t', IF(p.post_type = 'reply', p.post_parent, p.ID)) AS target, IF(p.post_type = 'reply', CONCAT('p', p.ID), '') AS ref,
  TIMESTAMPDIFF(SECOND, '1970-01-01', p.post_date_gmt) AS at,
  p.post_status IN ('publish', 'closed') AND p.post_password = '' AS counts
FROM wp_posts p JOIN wp_users u ON u.ID = p.post_author
WHERE p.post_type IN ('post', 'topic', 'reply') AND p.post_status NOT IN ('auto-draft', 'inherit')
  AND p.post_date_gmt > '1970-01-01'
UNION ALL
SELECT c.user_id, 'comment', 0, CONCAT('t', c.comment_post_ID), CONCAT('c', c.comment_ID),
  TIMESTAMPDIFF(SECOND, '1970-01-01', c.comment_date_gmt), c.comment_approved = '1'
FROM wp_comments c JOIN wp_users u ON u.ID = c.user_id
WHERE c.comment_type IN ('', 'comment');

-- Forums of a bbPress that guests do not read: private or hidden ones, and all below such a one.
CREATE TEMPORARY TABLE laurel_private AS
WITH RECURSIVE private (ID) AS (
  SELECT ID FROM wp_posts WHERE post_type = 'forum' AND (post_status <> 'publish' OR post_password <> '')
  UNION DISTINCT
  SELECT f.ID FROM private JOIN wp_posts f ON f.post_parent = private.ID WHERE f.post_type = 'forum')
SELECT ID FROM private;

-- Articles, with their titles, in HTML as WordPress keeps them.
SELECT JSON_OBJECT('at', e.at, 'user', CONCAT(e.user), 'action', 'publish', 'target', e.target,
  'title_html', p.post_title,
  'link', CONCAT(@home, '/?p=', p.ID), 'groups', COALESCE((
    SELECT GROUP_CONCAT(t.slug SEPARATOR '|') FROM wp_term_relationships r
    JOIN wp_term_taxonomy x USING (term_taxonomy_id) JOIN wp_terms t USING (term_id)
    WHERE r.object_id = p.ID AND x.taxonomy IN ('category', 'post_tag', 'topic-tag')), ''))
FROM laurel_entries e JOIN wp_posts p ON p.ID = e.post
WHERE e.counts AND e.action = 'publish' AND p.post_title <> ''
  AND NOT (p.post_type = 'topic' AND p.post_parent IN (SELECT ID FROM laurel_private));

-- What members did: comments, replies, and articles again, as an article that got another author is refused.
SELECT JSON_OBJECT('at', at, 'user', CONCAT(user), 'action', action, 'target', target, 'ref', ref)
FROM laurel_entries WHERE counts;

-- What lost reports have left wrong.
SELECT JSON_OBJECT('at', @now, 'user', CONCAT(user), 'action', IF(counts, action, CONCAT('un', action)), 'target', target,
  'ref', ref, 'restores', IF(counts, 'true', ''))
FROM laurel_entries WHERE at > @now - 60 * 86400;
