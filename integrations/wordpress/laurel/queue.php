<?php
/** The queue, a table: a member's act adds a row, which is sent when the page is done, or by WP-Cron. */
defined( 'ABSPATH' ) || exit;
/** Adds a body to the queue; empty parts are left out. */
function laurel_queue( array $body ) {
	global $wpdb;
	$body = array_filter( $body );
	if ( $body && laurel_setting( 'url' ) ) {
		$wpdb->insert( "{$wpdb->prefix}laurel_queue", array( 'made' => time(), 'body' => wp_json_encode( $body ) ) );
		wp_next_scheduled( 'laurel_send', array( 20 ) ) || wp_schedule_single_event( time(), 'laurel_send', array( 20 ) );
		wp_doing_cron() || add_action( 'shutdown', 'laurel_send_now', 100 );
	}
}
/** Returns the function that ends an answer and lets the request continue; '' where PHP's server has none. */
function laurel_finisher() {
	return current( array_filter( array( 'fastcgi_finish_request', 'litespeed_finish_request' ), 'function_exists' ) );
}
/** Sends for two seconds, when the member has the page; where that cannot be, a request of its own does. */
function laurel_send_now() {
	$finish = laurel_finisher();
	if ( $finish ) {
		$finish();
		laurel_send( 2 );
	} else { // not spawn_cron: for a minute that does nothing after another one
		$any = array( 'timeout' => 0.01, 'blocking' => false, 'sslverify' => apply_filters( 'https_local_ssl_verify', false ) );
		wp_remote_post( admin_url( 'admin-ajax.php?action=laurel_send' ), $any );
	}
}
/** Sends in a request of its own. Anybody may ask for it, as it answers nothing and sends only due rows. */
function laurel_send_apart() {
	ignore_user_abort( true );
	laurel_send( 20 );
	wp_die( '', '', 204 );
}
add_action( 'wp_ajax_laurel_send', 'laurel_send_apart' );
add_action( 'wp_ajax_nopriv_laurel_send', 'laurel_send_apart' );
add_action( 'laurel_send', 'laurel_send' );
/** Sends due rows, in order. Refused ones are sent again later, for two days; rows stay as long. */
function laurel_send( $seconds ) {
	global $wpdb;
	if ( ! laurel_setting( 'url' ) ) {
		return;
	}
	$table = "{$wpdb->prefix}laurel_queue";
	$lock  = md5( DB_NAME . $table );
	if ( '1' !== $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, 0)', $lock ) ) ) {
		return; // another process sends
	}
	$oldest = (int) $wpdb->get_var( "SELECT MAX(id) FROM $table" ) - 10000; // more are not kept
	$wpdb->query( $wpdb->prepare( "DELETE FROM $table WHERE made < %d OR id <= %d", time() - LAUREL_LATEST, $oldest ) );
	for ( $end = microtime( true ) + $seconds; ( $row = $wpdb->get_row( "SELECT * FROM $table WHERE sent = 0 ORDER BY id LIMIT 1" ) ) && $row->due <= time() && microtime( true ) < $end; ) {
		$error = laurel_post( "msg_$row->id", $row->body, min( 5, $seconds ) );
		$done  = '' === $error || preg_match( '/^4(13|15|22) /', $error ); // these are refused for ever
		$wait  = $done ? ( '' === $error ? time() : 0 ) : time() + min( HOUR_IN_SECONDS, 15 * 2 ** min( 10, (int) $row->tries ) );
		$wpdb->update( $table, array( 'sent' => (int) $done, 'due' => $wait, 'tries' => $row->tries + 1 ), array( 'id' => $row->id ) );
		'' === $error || update_option( 'laurel_error', laurel_moment() . " $error", false );
	}
	wp_clear_scheduled_hook( 'laurel_send', array( 20 ) );
	$row && wp_schedule_single_event( max( time(), (int) $row->due ), 'laurel_send', array( 20 ) );
	$wpdb->query( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $lock ) );
}
/** Sends a body. Returns '', or the status and the error. */
function laurel_post( $id, $body, $timeout ) {
	$answer = laurel_call( $id, $body, $timeout );
	return 200 === wp_remote_retrieve_response_code( $answer ) ? '' : laurel_fault( $answer );
}
/** Returns the answer to a body that is signed as Standard Webhooks says. */
function laurel_call( $id, $body, $timeout ) {
	$secret  = laurel_setting( 'hook_secret' );
	$key     = 0 === strpos( $secret, 'whsec_' ) ? (string) base64_decode( substr( $secret, 6 ) ) : $secret;
	$at      = (string) time();
	$sum     = 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$at.$body", $key, true ) );
	$headers = array( 'Content-Type' => 'application/json', 'webhook-id' => $id, 'webhook-timestamp' => $at, 'webhook-signature' => $sum );
	return wp_remote_post( laurel_setting( 'url' ) . '/v1/hooks/standard', compact( 'timeout', 'headers', 'body' ) + array( 'redirection' => 0 ) );
}
/** Returns the reason why there is no answer, or the status and the error. */
function laurel_fault( $answer ) {
	return is_wp_error( $answer ) ? $answer->get_error_message() : wp_remote_retrieve_response_code( $answer ) . ' ' . substr( wp_remote_retrieve_body( $answer ), 0, 500 );
}
register_activation_hook( __DIR__ . '/laurel.php', function () {
	global $wpdb;
	$wpdb->query( "CREATE TABLE IF NOT EXISTS {$wpdb->prefix}laurel_queue (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, made bigint NOT NULL,
		due bigint NOT NULL DEFAULT 0, tries int NOT NULL DEFAULT 0, sent tinyint NOT NULL DEFAULT 0, body longtext NOT NULL, KEY sent (sent, id)) {$wpdb->get_charset_collate()}" );
	add_option( 'laurel_history', (int) $wpdb->get_var( "SELECT MAX(ID) FROM $wpdb->posts" ) ); // posts up to it are imported
	add_option( 'laurel_since', time() ); // only later activities are compared
	wp_next_scheduled( 'laurel_compare' ) || wp_schedule_event( time(), 'hourly', 'laurel_compare' );
	wp_next_scheduled( 'laurel_send', array( 19 ) ) || wp_schedule_event( time(), 'hourly', 'laurel_send', array( 19 ) );
} );
register_deactivation_hook( __DIR__ . '/laurel.php', fn() => array_map( 'wp_unschedule_hook', array( 'laurel_send', 'laurel_compare' ) ) );
