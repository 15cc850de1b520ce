<?php

/**
 * A forum for tests: it changes its tables as phpBB does, and triggers phpBB's events in phpBB's order. Started
 * as `php forum.php DATABASE SETTINGS`, it takes lines of JSON, [name, arguments...], and answers each with one.
 */
foreach (['EventDispatcher', 'HttpFoundation', 'Yaml'] as $name) {
    require "Symfony/Component/$name/autoload.php";
}
set_error_handler(function (int $level, string $text, string $file, int $line) {
    if (! str_starts_with($file, '/usr/share/php/')) {
        throw new ErrorException($text, 0, $level, $file, $line);
    }
});
require __DIR__.'/stubs.php';
spl_autoload_register(function (string $class) { // as phpBB's class loader
    $file = __DIR__.'/../laurel/'.str_replace('\\', '/', substr($class, strlen('laurel\\leaderboards\\'))).'.php';
    str_starts_with($class, 'laurel\\leaderboards\\') && is_file($file) && require $file;
});

final class Db implements phpbb\db\driver\driver_interface, phpbb\db\tools\tools_interface
{
    public PDO $pdo;
    private mixed $last = null;
    public function __construct(string $path)
    {
        $this->pdo = new PDO("sqlite:$path", null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
        $this->pdo->exec('PRAGMA busy_timeout = 10000');
    }
    private function value(mixed $v): string { return is_int($v) ? (string) $v : ($v === null ? 'NULL' : $this->pdo->quote((string) $v)); }
    public function sql_build_array($query, $assoc_ary = array())
    {
        $values = array_map(fn ($v) => $this->value($v), $assoc_ary);
        if ($query === 'INSERT') {
            return '('.implode(', ', array_keys($values)).') VALUES ('.implode(', ', $values).')';
        }

        return implode(', ', array_map(fn ($k, $v) => "$k = $v", array_keys($values), $values));
    }
    public function sql_fetchrowset($query_id = false) { return ($query_id ?: $this->last)->fetchAll(); }
    public function sql_fetchfield($field, $rownum = false, $query_id = false) { return $this->sql_fetchrow($query_id)[$field] ?? false; }
    public function sql_fetchrow($query_id = false) { return ($query_id ?: $this->last)->fetch(); }
    public function sql_query_limit($query, $total, $offset = 0, $cache_ttl = 0) { return $this->sql_query("$query LIMIT $total"); }
    public function sql_query($query = '', $cache_ttl = 0) { return $this->last = $this->pdo->query($query); }
    public function sql_freeresult($query_id = false) { return ($query_id ?: $this->last)->closeCursor(); }
    public function sql_affectedrows() { return $this->last->rowCount(); }
    public function sql_concatenate($expr1, $expr2) { return "$expr1 || $expr2"; }
    public function cast_expr_to_string($expression) { return $expression; }
    public function sql_in_set($field, $array, $negate = false, $allow_empty_set = false)
    {
        if (! $array) {
            throw new LogicException("an empty set of $field"); // as phpBB does
        }

        return "$field IN (".implode(', ', array_map(fn ($v) => $this->value($v), $array)).')';
    }
    public function sql_table_exists($table_name) { return (bool) $this->sql_query("SELECT name FROM sqlite_master WHERE name = '$table_name'")->fetchAll(); }
}
final class Log implements phpbb\log\log_interface
{
    public array $lines = [];
    public function add($mode, $user_id, $log_ip, $log_operation, $log_time = false, $additional_data = array()) { $this->lines[] = "$log_operation: $additional_data[0]"; }
}
final class Post implements phpbb\request\request_interface
{
    public function __construct(public array $post) {}
    public function variable($var_name, $default, $multibyte = false, $super_global = 4) { return $this->post[$var_name] ?? $default; }
    public function is_set_post($name) { return isset($this->post[$name]); }
}
final class Template implements phpbb\template\template
{
    public array $vars = [];
    public function assign_vars(array $vararray) { $this->vars = $vararray; }
}

[, $path, $given] = $argv;
$new = ! file_exists($path);
$db = new Db($path);
$config = new phpbb\config\config(json_decode($given, true) + ['allow_avatar' => 1, 'laurel_compared' => time()]);
$services = [
    'dbal.conn' => $db, 'dbal.tools' => $db, 'config' => $config, 'config_text' => new phpbb\config\db_text(), 'log' => $log = new Log(), 'auth' => $auth = new phpbb\auth\auth(),
    'language' => new phpbb\language\language(), 'user' => $user = new phpbb\user(), 'template' => $template = new Template(), 'controller.helper' => new phpbb\controller\helper(),
    'request' => $post = new Post([]),
];
$auth->readable = [1, 2, 4];
$dispatcher = new Symfony\Component\EventDispatcher\EventDispatcher();
$cron = null;
foreach (Symfony\Component\Yaml\Yaml::parseFile(__DIR__.'/../laurel/config/services.yml')['services'] as $name => $service) {
    $services[$name] = new $service['class'](...array_map(
        fn ($a) => $a[0] === '@' ? $services[substr($a, 1)] : ['%core.table_prefix%' => 'phpbb_'][$a], $service['arguments']));
    foreach ($service['calls'] ?? [] as [$method, $with]) {
        $services[$name]->$method(...$with);
    }
    foreach (array_column($service['tags'] ?? [], 'name') as $tag) {
        $tag === 'event.listener' ? $dispatcher->addSubscriber($services[$name]) : $cron = $services[$name];
    }
}
$install = new laurel\leaderboards\migrations\install($config, $db, $db, '', 'php', 'phpbb_');
$tables = function () use ($db, $install) {
    foreach ($install->update_schema()['add_tables'] as $name => $table) {
        $columns = array_map(fn ($column, $type) => $column.' '.(isset($type[2]) ? 'INTEGER PRIMARY KEY AUTOINCREMENT'
            : (str_contains($type[0], 'TEXT') ? 'TEXT' : 'INT')." NOT NULL DEFAULT '$type[1]'"), array_keys($table['COLUMNS']), $table['COLUMNS']);
        is_array($table['PRIMARY_KEY']) && $columns[] = 'PRIMARY KEY ('.implode(', ', $table['PRIMARY_KEY']).')';
        $db->sql_query('CREATE TABLE '.$name.' ('.implode(', ', $columns).')');
    }
};
if ($new) {
    $db->pdo->exec("
        CREATE TABLE phpbb_users (user_id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT, username_clean TEXT GENERATED ALWAYS AS (lower(username)), user_type INT DEFAULT 0, user_avatar TEXT DEFAULT '', user_avatar_type TEXT DEFAULT '');
        CREATE TABLE phpbb_forums (forum_id INTEGER PRIMARY KEY, forum_password TEXT DEFAULT '');
        CREATE TABLE phpbb_topics (topic_id INTEGER PRIMARY KEY AUTOINCREMENT, forum_id INT, topic_title TEXT, topic_first_post_id INT DEFAULT 0, topic_poster INT DEFAULT 0,
            topic_visibility INT DEFAULT 1, topic_moved_id INT DEFAULT 0, topic_delete_time INT DEFAULT 0);
        CREATE TABLE phpbb_posts (post_id INTEGER PRIMARY KEY AUTOINCREMENT, topic_id INT, forum_id INT, poster_id INT, post_time INT,
            post_visibility INT DEFAULT 1, post_delete_time INT DEFAULT 0);
        CREATE TABLE phpbb_thanks (post_id INT, poster_id INT, user_id INT, topic_id INT, forum_id INT, thanks_time INT, PRIMARY KEY (post_id, user_id));
        CREATE TABLE phpbb_acl_options (auth_option_id INTEGER, auth_option TEXT);
        CREATE TABLE phpbb_acl_roles_data (role_id INTEGER, auth_option_id INTEGER, auth_setting INTEGER);
        CREATE TABLE phpbb_acl_users (user_id INTEGER, forum_id INTEGER, auth_option_id INTEGER, auth_role_id INTEGER, auth_setting INTEGER);
        CREATE TABLE phpbb_acl_groups (group_id INTEGER, forum_id INTEGER, auth_option_id INTEGER, auth_role_id INTEGER, auth_setting INTEGER);
        CREATE TABLE phpbb_user_group (user_id INTEGER, group_id INTEGER, user_pending INTEGER);
        CREATE TABLE phpbb_groups (group_id INTEGER PRIMARY KEY, group_name TEXT);
        INSERT INTO phpbb_groups VALUES (2, 'REGISTERED'), (5, 'Admins'), (6, 'Mods'), (7, 'Red &amp; blue');
        INSERT INTO phpbb_acl_options VALUES (20, 'f_post'), (21, 'f_read');
        INSERT INTO phpbb_acl_roles_data VALUES (17, 21, 1), (17, 20, 1);
        INSERT INTO phpbb_user_group VALUES (1, 1, 0);
        INSERT INTO phpbb_acl_groups VALUES (1, 1, 21, 0, 1), (1, 2, 21, 0, 1), (1, 4, 21, 0, 1);
        INSERT INTO phpbb_users (username, user_type) VALUES ('Anonymous', 2), ('Bot', 2);
        INSERT INTO phpbb_forums VALUES (1, ''), (2, ''), (3, ''), (4, 'secret')");
    getenv('BEFORE') || $tables();
}
$db->sql_table_exists('phpbb_laurel_queue') && $db->pdo->exec('CREATE VIEW IF NOT EXISTS laurel_queue AS SELECT * FROM phpbb_laurel_queue');

$fire = fn (string $event, array $vars = []) => $dispatcher->dispatch(new phpbb\event\data($vars), $event);
$run = fn (string $sql, mixed ...$with) => $db->pdo->prepare($sql)->execute($with);
$get = function (string $sql, mixed ...$with) use ($db) {
    ($q = $db->pdo->prepare($sql))->execute($with);

    return $q->fetchAll()[0] ?? false;
};
$ids = fn (string $sql) => $db->pdo->query($sql)->fetchAll(PDO::FETCH_COLUMN);
// sync('topic'): its first post is the first that is approved, else the first of all.
$sync = function (int $topic) use ($run, $get) {
    $first = $get('SELECT MIN(post_id) AS id FROM phpbb_posts WHERE topic_id = ? AND post_visibility = 1', $topic)['id']
        ?? $get('SELECT MIN(post_id) AS id FROM phpbb_posts WHERE topic_id = ?', $topic)['id'];
    $visible = $get('SELECT post_visibility AS v FROM phpbb_posts WHERE post_id = ?', $first)['v'] ?? 1;
    $run('UPDATE phpbb_topics SET topic_first_post_id = ?, topic_visibility = ? WHERE topic_id = ?', $first ?? 0, $visible, $topic);
};
$write = function (string $mode, int $author, int $forum, int $topic, array $with) use ($run, $get, $db, $fire) {
    $visible = $with['visibility'] ?? 1;
    $run('INSERT INTO phpbb_posts (topic_id, forum_id, poster_id, post_time, post_visibility) VALUES (?, ?, ?, ?, ?)', $topic, $forum, $author, $with['at'] ?? time(), $visible);
    $post = (int) $db->pdo->lastInsertId();
    $mode === 'post' && $run('UPDATE phpbb_topics SET topic_first_post_id = ? WHERE topic_id = ?', $post, $topic);
    $fire('core.submit_post_end', ['mode' => $mode, 'data' => ['topic_id' => $topic, 'post_id' => $post, 'forum_id' => $forum], 'post_visibility' => $visible]);

    return $post;
};
// content_visibility::set_post_visibility
$show = function (int $visible, ?array $posts, int $topic, ?int $time = null, string $where = '') use ($run, $ids, $sync, $fire) {
    $run("UPDATE phpbb_posts SET post_visibility = $visible, post_delete_time = ".($time ?? time()).' WHERE '.($posts ? 'post_id IN ('.implode(',', $posts).')' : "topic_id = $topic $where"));
    $sync($topic);
    $fire('core.set_post_visibility_after', ['visibility' => $visible, 'post_id' => $posts ?? false, 'topic_id' => $topic]);
};
$delete = function (string $where, bool $with_topics = true) use (&$gone, $run, $ids, $fire, $sync) { // delete_posts
    $posts = $ids("SELECT post_id FROM phpbb_posts WHERE $where");
    $topics = $ids("SELECT topic_id FROM phpbb_posts WHERE $where");
    if ($posts) {
        $list = implode(',', $posts);
        $run("DELETE FROM phpbb_posts WHERE post_id IN ($list)");
        $run("DELETE FROM phpbb_thanks WHERE post_id IN ($list)"); // by Thanks for posts, in the transaction
        $empty = array_diff($topics, $ids('SELECT topic_id FROM phpbb_posts'));
        $fire('core.delete_posts_after', ['post_ids' => $posts, 'topic_ids' => $topics]);
        $with_topics && $empty && $gone(array_unique($empty));
        array_map($sync, array_unique(array_diff($topics, $empty)));
    }
};
$gone = function (array $topics) use (&$delete, $run, $fire) { // delete_topics
    $list = implode(',', $topics);
    $delete("topic_id IN ($list)", false);
    $run("DELETE FROM phpbb_topics WHERE topic_id IN ($list)");
    $fire('core.delete_topics_after_query', ['topic_ids' => array_values($topics)]);
};
$members = [
    'user' => function (string $name) use ($run, $db) {
        $run('INSERT INTO phpbb_users (username) VALUES (?)', htmlspecialchars($name));

        return (int) $db->pdo->lastInsertId();
    },
    'start' => function (int $author, string $title, ?array $with = []) use ($run, $db, $write) {
        $forum = $with['forum'] ?? 1;
        $run('INSERT INTO phpbb_topics (forum_id, topic_poster, topic_title, topic_visibility) VALUES (?, ?, ?, ?)', $forum, $author, htmlspecialchars($title), $with['visibility'] ?? 1);
        $topic = (int) $db->pdo->lastInsertId();

        return [$topic, $write('post', $author, $forum, $topic, $with ?? [])];
    },
    'reply' => fn (int $author, int $topic, ?array $with = []) => $write('reply', $author, (int) $get('SELECT forum_id FROM phpbb_topics WHERE topic_id = ?', $topic)['forum_id'], $topic, $with ?? []),
    'edit' => function (int $post, string $title) use ($run, $get, $fire) {
        $topic = $get('SELECT * FROM phpbb_topics WHERE topic_first_post_id = ?', $post);
        $topic && $run('UPDATE phpbb_topics SET topic_title = ? WHERE topic_id = ?', htmlspecialchars($title), $topic['topic_id']);
        $fire('core.submit_post_end', ['mode' => 'edit', 'data' => ['topic_id' => $topic['topic_id'] ?? $get('SELECT topic_id FROM phpbb_posts WHERE post_id = ?', $post)['topic_id'], 'post_id' => $post], 'post_visibility' => 1]);
    },
    'show_post' => fn (int $post, int $visible) => $show($visible, [$post], (int) $get('SELECT topic_id FROM phpbb_posts WHERE post_id = ?', $post)['topic_id']),
    'show' => function (int $topic, int $visible) use ($run, $get, $show, $fire) { // set_topic_visibility
        $was = $get('SELECT * FROM phpbb_topics WHERE topic_id = ?', $topic);
        $run('UPDATE phpbb_topics SET topic_visibility = ?, topic_delete_time = ? WHERE topic_id = ?', $visible, $time = time(), $topic);
        $show($visible, null, $topic, $time, $visible === 2 ? 'AND post_visibility = 1' : ($was['topic_visibility'] == 2 ? "AND post_visibility = 2 AND post_delete_time = $was[topic_delete_time]" : ''));
        $fire('core.set_topic_visibility_after', ['visibility' => $visible, 'topic_id' => $topic]);
    },
    'delete_post' => function (int $post) use ($get, $delete, $sync, $fire) {
        $topic = (int) $get('SELECT topic_id FROM phpbb_posts WHERE post_id = ?', $post)['topic_id'];
        $delete("post_id = $post");
        $get('SELECT 1 FROM phpbb_topics WHERE topic_id = ?', $topic) && $sync($topic);
        $fire('core.delete_post_after', ['topic_id' => $topic, 'post_id' => $post, 'is_soft' => false]);
    },
    'delete_posts_of' => function (int $user) use ($delete, $ids, $sync) { // by the administration, which syncs afterwards
        $topics = $ids("SELECT DISTINCT topic_id FROM phpbb_posts WHERE poster_id = $user");
        $delete("poster_id = $user");
        array_map($sync, $ids('SELECT topic_id FROM phpbb_topics WHERE topic_id IN ('.implode(',', $topics).')'));
    },
    'delete' => fn (int $topic) => $gone([$topic]),
    'move' => function (int $topic, int $forum) use ($run, $fire) {
        $run('UPDATE phpbb_topics SET forum_id = ? WHERE topic_id = ?', $forum, $topic);
        $run('UPDATE phpbb_posts SET forum_id = ? WHERE topic_id = ?', $forum, $topic);
        $fire('core.move_topics_after', ['topic_ids' => [$topic], 'forum_id' => (string) $forum]);
    },
    'move_post' => function (int $post, int $topic) use ($run, $get, $sync, $fire, $ids, $gone) { // split and merge
        $from = (int) $get('SELECT topic_id FROM phpbb_posts WHERE post_id = ?', $post)['topic_id'];
        $run('UPDATE phpbb_posts SET topic_id = ? WHERE post_id = ?', $topic, $post);
        $run('UPDATE phpbb_thanks SET topic_id = ? WHERE post_id = ?', $topic, $post);
        $fire('core.move_posts_after', ['post_ids' => [$post], 'topic_id' => $topic, 'topic_ids' => [$from]]);
        $ids("SELECT 1 FROM phpbb_posts WHERE topic_id = $from") ? $sync($from) : $gone([$from]); // sync() deletes empty topics
        $sync($topic);
        $fire('core.move_posts_sync_after', ['post_ids' => [$post], 'topic_id' => $topic, 'topic_ids' => [$from]]);
    },
    'change_poster' => function (int $post, int $user) use ($run, $get, $fire) {
        $run('UPDATE phpbb_posts SET poster_id = ? WHERE post_id = ?', $user, $post);
        $fire('core.mcp_change_poster_after', ['userdata' => ['user_id' => $user], 'post_info' => $get('SELECT * FROM phpbb_posts WHERE post_id = ?', $post)]);
    },
    'like' => fn (int $who, int $post) => $run('INSERT INTO phpbb_thanks SELECT post_id, poster_id, ?, topic_id, forum_id, ? FROM phpbb_posts WHERE post_id = ?', $who, time(), $post),
    'unlike' => fn (int $who, int $post) => $run('DELETE FROM phpbb_thanks WHERE post_id = ? AND user_id = ?', $post, $who),
    'rename_user' => function (int $id, string $name) use ($run, $get, $fire) {
        $old = $get('SELECT username FROM phpbb_users WHERE user_id = ?', $id)['username'];
        $run('UPDATE phpbb_users SET username = ? WHERE user_id = ?', htmlspecialchars($name), $id);
        $fire('core.update_username', ['old_name' => $old, 'new_name' => htmlspecialchars($name)]);
    },
    'map' => fn (string $lines) => $services['config_text']->set('laurel_groups', $lines),
    'regroup' => function (int $id, array $groups, int $pending = 0) use ($run, $get, $fire) { // the names of all of the member's groups
        $run('DELETE FROM phpbb_user_group WHERE user_id = ?', $id);
        $fire('core.group_delete_user_after', ['group_id' => 0, 'group_name' => '', 'user_id_ary' => [$id], 'username_ary' => []]);
        foreach ($groups as $name) {
            $run('INSERT INTO phpbb_user_group SELECT ?, group_id, ? FROM phpbb_groups WHERE group_name = ?', $id, $pending, htmlspecialchars($name));
            $fire('core.group_add_user_after', ['group_id' => 0, 'group_name' => $name, 'user_id_ary' => [$id], 'username_ary' => [], 'pending' => $pending]);
        }
    },
    'delete_user' => function (int $id, string $mode) use ($run, $delete, $fire) {
        $mode === 'remove' ? $delete("poster_id = $id") : $run('UPDATE phpbb_posts SET poster_id = 1 WHERE poster_id = ?', $id);
        $run('DELETE FROM phpbb_users WHERE user_id = ?', $id); // its rows of thanks stay
        $fire('core.delete_user_after', ['mode' => $mode, 'user_ids' => [$id]]);
    },
    'merge_users' => function (int $old, int $new, bool $delete) use ($run, $get, $fire) { // as the extension Merge Users does
        [$from, $into] = array_map(fn ($id) => $get('SELECT * FROM phpbb_users WHERE user_id = ?', $id), [$old, $new]);
        $run('UPDATE phpbb_posts SET poster_id = ? WHERE poster_id = ?', $new, $old);
        $run('UPDATE phpbb_topics SET topic_poster = ? WHERE topic_poster = ?', $new, $old);
        if ($delete) {
            $run('DELETE FROM phpbb_users WHERE user_id = ?', $old);
            $fire('core.delete_user_after', ['mode' => 'remove', 'user_ids' => [$old], 'user_rows' => [$old => $from]]);
        }
        $fire('core.add_log', ['mode' => 'admin', 'log_operation' => 'LOG_USERS_MERGED', 'additional_data' => [$from['username'], $into['username']]]);
    },
    'read' => function (int ...$forums) use ($auth, $db) { // the forums that guests can read: phpBB tells nobody
        $auth->readable = $forums;
        $db->pdo->exec('DELETE FROM phpbb_acl_groups');
        $forums && $db->pdo->exec('INSERT INTO phpbb_acl_groups VALUES '.implode(', ', array_map(fn ($forum) => "(1, $forum, 21, 0, 1)", $forums)));
    },
    'install' => function () use ($tables, $install, $db) {
        $tables();
        $db->pdo->exec('CREATE VIEW IF NOT EXISTS laurel_queue AS SELECT * FROM phpbb_laurel_queue');
        foreach ($install->update_data() as [$tool, $with]) {
            $tool === 'custom' && $with[0]();
        }
    },
    'sql' => fn (string $sql) => $db->pdo->query($sql)->fetchAll(),
    'do' => fn (string $sql) => $db->pdo->exec(str_replace(' laurel_queue', ' phpbb_laurel_queue', $sql)),
    'again' => fn () => $services['laurel.leaderboards.queue']->again(),
    'send' => function () use ($cron, $config, $log) {
        $config->set('laurel_last', 0);
        $config->set('laurel_thanks', 0);
        $cron->is_runnable() && $cron->should_run() && $cron->run();

        return $log->lines;
    },
    'due' => fn () => [$cron->is_runnable(), $cron->should_run()],
    'page' => function (array $post) use ($services, $template) { // of the administration: its message, or its form
        global $phpbb_container;
        $phpbb_container = new class(['request' => new Post($post)] + $services) {
            public function __construct(private array $services) {}
            public function get(string $name): object { return $this->services[$name]; }
        };
        $page = new laurel\leaderboards\acp\main_module();
        $page->u_action = 'adm';
        try {
            $page->main('', 'settings');
        } catch (ErrorException $said) { // as phpBB's trigger_error ends the request
            return $said->getMessage();
        }

        return $template->vars['LAUREL_STATUS'].' '.str_replace('<br>', "\n", $template->vars['LAUREL_COMPARED']);
    },
    'set' => fn (string $name, string $value) => $config->set($name, $value),
    'standing' => fn () => array_map(fn ($row) => ['at' => strtotime($row['at']), 'user' => (int) $row['user']] + $row, array_merge(...array_values($services['laurel.leaderboards.comparison']->standing()))),
    'token' => function (?int $id) use ($services, $user) {
        $user->data = ['user_id' => $id ?? ANONYMOUS, 'is_registered' => (bool) $id];
        $answer = $services['laurel.leaderboards.token']->handle();

        return ['status' => $answer->getStatusCode(), 'body' => json_decode($answer->getContent()), 'headers' => ['Cache-Control' => $answer->headers->get('Cache-Control')]];
    },
    'index' => function (?int $id) use ($fire, $user, $template, $services) {
        $user->data = ['user_id' => $id ?? ANONYMOUS, 'is_registered' => (bool) $id];
        $fire('core.index_modify_page_title');

        return $template->vars + ['LANGUAGE' => join(' ', $services['language']->loaded)];
    },
    'preferences' => function (int $id, ?array $given = null, bool $forged = false) use ($dispatcher, $user, $template, $post) { // ucp_prefs.php: the form, or the sent values
        $user->data = ['user_id' => $id, 'is_registered' => true];
        $post->post = $given ?? [];
        $GLOBALS['forged'] = $forged;
        $template->vars = [];
        $dispatcher->dispatch($event = new phpbb\event\data(['submit' => $given !== null, 'data' => [], 'error' => []]), 'core.ucp_prefs_personal_data');

        return $template->vars + ['error' => $event['error']];
    },
    'down' => fn () => array_map(fn ($table) => $db->pdo->exec("DROP TABLE $table"), $install->revert_schema()['drop_tables']),
    'log' => fn () => $log->lines,
];
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $what = array_shift($call);
    usleep(1000); // members are never that fast
    echo json_encode($members[$what](...$call), JSON_THROW_ON_ERROR)."\n";
}
