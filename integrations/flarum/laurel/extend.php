<?php

namespace Laurel\Flarum;

use Flarum\Extend;
use Illuminate\Console\Scheduling\Event;

return [
    (new Extend\Event())->subscribe(Report::class),
    (new Extend\Console())->command(Send::class)
        ->schedule(Send::class, fn (Event $event) => $event->everyMinute()->withoutOverlapping()),
    (new Extend\Routes('forum'))->get('/laurel/token', 'laurel.token', Token::class),
    (new Extend\Routes('api'))->get('/laurel/pair', 'laurel.status', Pair::class)->post('/laurel/pair', 'laurel.pair', Pair::class),
    (new Extend\Routes('api'))->get('/laurel/elements', 'laurel.elements', Elements::class)->post('/laurel/elements', 'laurel.elements.keep', Elements::class)
        ->get('/laurel/visibility', 'laurel.visibility', Visibility::class)->post('/laurel/visibility', 'laurel.visibility.change', Visibility::class),
    (new Extend\Settings())->default('laurel.board', 'activity')
        ->serializeToForum('laurelUrl', 'laurel.url')->serializeToForum('laurelBoard', 'laurel.board')->serializeToForum('laurelElements', 'laurel.elements'),
    new Extend\Locales(__DIR__.'/locale'),
    (new Extend\Frontend('forum'))->js(__DIR__.'/js/forum.js'),
    (new Extend\Frontend('admin'))->js(__DIR__.'/js/admin.js'),
];
