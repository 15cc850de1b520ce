-- Who is on the boards of a WordPress, for laurel import --profiles: JSON lines.
--
--   mariadb -N --raw --batch wordpress < profiles.sql > profiles.jsonl
--
-- Faces are Gravatar's, as WordPress has them without another plugin. For private groups, uncomment three lines, and
-- name a role and its group in each IF, as on the plugin's page; without them Laurel keeps the groups that it has.
SET @home = (SELECT option_value FROM wp_options WHERE option_name = 'home');
SELECT JSON_OBJECT('id', CONCAT(ID), 'name_html', display_name, 'link', CONCAT(@home, '/?author=', ID),
  'avatar', CONCAT('https://secure.gravatar.com/avatar/', MD5(LOWER(TRIM(user_email))), '?s=96&d=mm&r=g'),
  -- 'groups', (SELECT COALESCE(NULLIF(CONCAT_WS('|', IF(meta_value LIKE '%"administrator"%', 'staff', NULL),
  --   IF(meta_value LIKE '%"author"%', 'writers', NULL)), ''), 'none')
  --   FROM wp_usermeta WHERE user_id = wp_users.ID AND meta_key = 'wp_capabilities'),
  'since', DATE_FORMAT(user_registered, '%Y-%m-%dT%H:%i:%sZ'))
FROM wp_users WHERE display_name <> '';
