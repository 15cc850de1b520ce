<?php
// Cleans texts as the plugins of PHP do, by the function that each of them has: `php texts.php TEXTS FILE FUNCTION`.
function wp_strip_all_tags($text) { return $text; }
[, $texts, $file, $name] = $argv;
preg_match("/^(\t|    |)(private )?function $name\(.*?\n\\1}\n/ms", file_get_contents($file), $found);
eval(str_replace('private function', 'function', $found[0]));
foreach (json_decode(file_get_contents($texts), true) as $text) {
    $got = $name($text['text'], 100);
    if ($got !== $text['clean']) {
        echo json_encode($text), ' is cleaned to ', json_encode($got), "\n";
    }
}
