<?php
/** Removes the plugin's table, settings and marks; Laurel's data stays. */
defined( 'WP_UNINSTALL_PLUGIN' ) || exit;
global $wpdb;
$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}laurel_queue" );
array_map( 'delete_option', array( 'laurel', 'laurel_error', 'laurel_history', 'laurel_since', 'laurel_compared', 'widget_laurel' ) );
delete_transient( 'laurel_boards' );
delete_post_meta_by_key( '_laurel' );
