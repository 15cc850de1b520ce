<?php

use Flarum\Database\Migration;
use Illuminate\Database\Schema\Blueprint;

return Migration::createTable('laurel_queue', function (Blueprint $table) {
    $table->bigIncrements('id');
    $table->bigInteger('made');
    $table->bigInteger('due')->default(0);
    $table->integer('tries')->default(0);
    $table->tinyInteger('sent')->default(0);
    $table->longText('body');
    $table->index(['sent', 'id']);
});
