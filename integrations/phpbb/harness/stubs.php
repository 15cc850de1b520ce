<?php

/**
 * phpBB's classes and functions as far as the extension meets them, with the signatures of phpBB 3.3, over Debian's
 * Symfony 5.4. Written for tests: nothing of it is phpBB's.
 */

namespace {
    const ANONYMOUS = 1, USER_IGNORE = 2, IN_PHPBB = true;

    function generate_board_url($without_script_path = false) { return 'https://forum.example'; }
    function add_form_key($form_name, $template_variable_suffix = '') {}
    function check_form_key($form_name, $timespan = false) { return empty($GLOBALS['forged']); }
    function adm_back_link($u_action) { return ''; }
    function utf8_clean_string($text) { return mb_strtolower($text); }
    function utf8_htmlspecialchars($value) { return htmlspecialchars($value, ENT_COMPAT); }
}

namespace phpbb\extension {
    abstract class base
    {
        public function is_enableable() { return true; }
    }
}

namespace phpbb\config {
    class config implements \ArrayAccess
    {
        public function __construct(protected array $config) {}
        public function offsetExists($key): bool { return isset($this->config[$key]); }
        public function offsetGet($key): mixed { return $this->config[$key] ?? ''; }
        public function offsetSet($key, $value): void { $this->config[$key] = $value; }
        public function offsetUnset($key): void { throw new \LogicException(); }
        public function set($key, $value, $use_cache = true) { $this->config[$key] = $value; }
    }
    class db_text
    {
        private array $all = [];
        public function get($key) { return $this->all[$key] ?? null; }
        public function set($key, $value) { $this->all[$key] = $value; }
    }
}

namespace phpbb\db\driver {
    interface driver_interface
    {
        public function sql_build_array($query, $assoc_ary = array());
        public function sql_fetchrowset($query_id = false);
        public function sql_fetchfield($field, $rownum = false, $query_id = false);
        public function sql_fetchrow($query_id = false);
        public function sql_query_limit($query, $total, $offset = 0, $cache_ttl = 0);
        public function sql_query($query = '', $cache_ttl = 0);
        public function sql_freeresult($query_id = false);
        public function sql_affectedrows();
        public function sql_concatenate($expr1, $expr2);
        public function cast_expr_to_string($expression);
        public function sql_in_set($field, $array, $negate = false, $allow_empty_set = false);
    }
}

namespace phpbb\db\tools {
    interface tools_interface
    {
        public function sql_table_exists($table_name);
    }
}

namespace phpbb\db\migration {
    abstract class migration
    {
        protected $config;
        protected $db;
        protected $db_tools;
        protected $table_prefix;
        public function __construct(\phpbb\config\config $config, \phpbb\db\driver\driver_interface $db, \phpbb\db\tools\tools_interface $db_tools, $phpbb_root_path, $php_ext, $table_prefix)
        {
            [$this->config, $this->db, $this->db_tools, $this->table_prefix] = [$config, $db, $db_tools, $table_prefix];
        }
        public static function depends_on() { return array(); }
        public function effectively_installed() { return false; }
        public function update_schema() { return array(); }
        public function revert_schema() { return array(); }
        public function update_data() { return array(); }
        protected function sql_query($sql) { return $this->db->sql_query($sql); }
    }
}

namespace phpbb\auth {
    class auth
    {
        public array $readable = [];
        public function acl_get_list($user_id = false, $opts = false, $forum_id = false)
        {
            return array_fill_keys($this->readable, [$opts => [$user_id]]);
        }
    }
}

namespace phpbb\log {
    interface log_interface
    {
        public function add($mode, $user_id, $log_ip, $log_operation, $log_time = false, $additional_data = array());
    }
}

namespace phpbb\cron\task {
    interface task
    {
        public function get_name();
        public function run();
        public function is_runnable();
        public function should_run();
    }
    abstract class base implements task
    {
        private $name;
        public function get_name() { return $this->name; }
        public function set_name($name) { $this->name = $name; }
        public function is_runnable() { return true; }
        public function should_run() { return true; }
    }
}

namespace phpbb\event {
    class data extends \Symfony\Contracts\EventDispatcher\Event implements \ArrayAccess
    {
        public function __construct(private array $data = array()) {}
        public function offsetExists($offset): bool { return isset($this->data[$offset]); }
        public function offsetGet($offset): mixed { return $this->data[$offset] ?? null; }
        public function offsetSet($offset, $value): void { $this->data[$offset] = $value; }
        public function offsetUnset($offset): void { unset($this->data[$offset]); }
    }
}

namespace phpbb {
    class user
    {
        public $data = array('user_id' => ANONYMOUS, 'is_registered' => false);
        public function format_date($gmepoch, $format = false, $forcedate = false) { return gmdate($format ?: 'Y-m-d H:i:s', $gmepoch); }
    }
}

namespace phpbb\language {
    class language
    {
        public $loaded = array();

        public function add_lang($component, $extension_name = null)
        {
            $this->loaded[] = "$extension_name/$component";
        }

        public function lang($key, ...$args)
        {
            static $lang;
            $lang ??= (function () {
                $lang = array('FORM_INVALID' => 'invalid', 'CONFIG_UPDATED' => 'updated', 'USER_LANG' => 'en');
                require __DIR__.'/../laurel/language/en/info_acp_laurel.php';
                require __DIR__.'/../laurel/language/en/common.php';

                return $lang;
            })();

            return vsprintf($lang[$key], $args);
        }
    }
}

namespace phpbb\template {
    interface template
    {
        public function assign_vars(array $vararray);
    }
}

namespace phpbb\controller {
    class helper
    {
        public function route($route, array $params = array(), $is_amp = true, $session_id = false, $reference_type = 1)
        {
            return "/app.php/$route";
        }
    }
}

namespace phpbb\request {
    interface request_interface
    {
        public function variable($var_name, $default, $multibyte = false, $super_global = 4);
        public function is_set_post($name);
    }
}
