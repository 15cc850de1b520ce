<?php
/** The token of a visitor, and the page of settings. */
defined( 'ABSPATH' ) || exit;
add_action( 'rest_api_init', function () { // the cookie and the nonce name the visitor
	register_rest_route( 'laurel/v1', '/token', array( 'methods' => 'GET', 'permission_callback' => 'is_user_logged_in', 'callback' => 'laurel_token' ) );
} );
/** Returns a token of a user for 15 minutes. */
function laurel_sign( $user ) {
	$claims = array( 'sub' => (string) $user, 'aud' => 'laurel', 'exp' => time() + 15 * MINUTE_IN_SECONDS );
	$encode = fn( $bytes ) => rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	$text   = $encode( '{"alg":"HS256","typ":"JWT"}' ) . '.' . $encode( wp_json_encode( $claims ) );
	return $text . '.' . $encode( hash_hmac( 'sha256', $text, laurel_setting( 'user_secret' ), true ) );
}
/** Answers with a token of the visitor. */
function laurel_token() {
	if ( strlen( laurel_setting( 'user_secret' ) ) < 32 ) {
		return new WP_Error( 'laurel_no_secret', __( 'The secret of tokens is not set.', 'laurel' ), array( 'status' => 501 ) );
	}
	return new WP_REST_Response( array( 'token' => laurel_sign( get_current_user_id() ) ), 200, array( 'Cache-Control' => 'no-store' ) );
}
add_action( 'admin_menu', function () {
	add_options_page( 'Laurel', 'Laurel', 'manage_options', 'laurel', 'laurel_page' );
	register_setting( 'laurel', 'laurel', array( 'sanitize_callback' => 'laurel_sanitize' ) );
} );
/** Returns the name of a group as Laurel takes it, '' for none. */
function laurel_group( $name ) {
	$plain = laurel_text( (string) $name, 64 );
	return strlen( $plain ) > 64 || in_array( $plain, array( '.', '..' ), true ) ? '' : $plain;
}
/** Returns settings as they are kept: a secret that is left empty stays. */
function laurel_sanitize( $given ) {
	$kept = array( 'url' => untrailingslashit( esc_url_raw( $given['url'] ?? '', array( 'http', 'https' ) ) ), 'board' => sanitize_key( $given['board'] ?? '' ) );
	$kept['groups'] = array_filter( array_map( 'laurel_group', (array) ( $given['groups'] ?? array() ) ) );
	foreach ( array( 'hook_secret', 'user_secret' ) as $name ) {
		$kept[ $name ] = preg_replace( '/\s/', '', (string) ( $given[ $name ] ?? '' ) ) ?: laurel_setting( $name );
	}
	delete_transient( 'laurel_boards' );
	return $kept;
}
/** Shows the page of settings. Once paired it shows the next step, and folds rarely needed settings. */
function laurel_page() {
	$paired = laurel_setting( 'url' ) && laurel_setting( 'hook_secret' );
	$failed = (bool) get_transient( 'laurel_pairing_' . get_current_user_id() );
	printf( '<div class="wrap"><h1>Laurel</h1><p id="laurel-status">%s</p>', esc_html( laurel_status() ) );
	$paired && laurel_next();
	$paired || laurel_pair_form();
	$paired && laurel_differences();
	if ( $paired ) {
		printf( '<details%s><summary>%s</summary>', $failed ? ' open' : '', esc_html__( 'Pair again', 'laurel' ) );
		laurel_pair_form();
		echo '</details>';
	}
	printf( '<details><summary>%s</summary>', esc_html__( 'Settings', 'laurel' ) );
	laurel_settings_form();
	printf( '</details><details><summary>%s</summary>', esc_html__( 'Sending', 'laurel' ) );
	laurel_sending();
	echo '</details></div>';
}
/** Shows an owner's steps after pairing. */
function laurel_next() {
	$to = wp_is_block_theme() ? admin_url( 'site-editor.php' ) : admin_url( 'widgets.php' );
	/* translators: %1$s: a link, %2$s: its end */
	printf( '<p id="laurel-next">' . esc_html__( 'Next: %1$sadd the block Leaderboard to your pages%2$s, or write [laurel] into one.', 'laurel' ), '<a href="' . esc_url( $to ) . '">', '</a>' );
	/* translators: %1$s: a link, %2$s: its end */
	printf( ' ' . esc_html__( 'Members can hide themselves %1$sin their profiles%2$s.', 'laurel' ) . '</p>', '<a href="' . esc_url( admin_url( 'profile.php#laurel-visibility' ) ) . '">', '</a>' );
}
/** Shows the settings by hand. */
function laurel_settings_form() {
	echo '<form method="post" action="options.php"><table class="form-table">';
	settings_fields( 'laurel' );
	$row = '<tr><th><label for="laurel-%1$s">%2$s</label></th><td>';
	printf( $row . '<input class="regular-text" id="laurel-%1$s" name="laurel[%1$s]" value="%3$s" autocomplete="off"></td></tr>', 'url', esc_html__( 'Address', 'laurel' ), esc_attr( laurel_setting( 'url' ) ) );
	printf( $row . '<select id="laurel-%1$s" name="laurel[%1$s]">', 'board', esc_html__( 'Board', 'laurel' ) );
	foreach ( laurel_choices()['board'] + array( laurel_setting( 'board' ) => laurel_setting( 'board' ) ) as $name => $title ) {
		printf( '<option value="%s"%s>%s</option>', esc_attr( $name ), selected( $name, laurel_setting( 'board' ), false ), esc_html( $title ) );
	}
	printf( '</select></td></tr></table><details><summary>%s</summary><p>%s</p><table class="form-table">', esc_html__( 'Groups', 'laurel' ), esc_html__( 'Boards can ask for members of groups, or leave them out. Name a group for each role that Laurel is to know; other roles are not sent. Nobody sees a member’s groups.', 'laurel' ) );
	foreach ( wp_roles()->get_names() as $role => $title ) {
		printf( '<tr><th><label for="laurel-group-%1$s">%2$s</label></th><td><input class="regular-text" id="laurel-group-%1$s" name="laurel[groups][%1$s]" value="%3$s" maxlength="64" autocomplete="off"></td></tr>', esc_attr( $role ), esc_html( translate_user_role( $title ) ), esc_attr( laurel_roles()[ $role ] ?? '' ) );
	}
	printf( '</table></details><details><summary>%s</summary><table class="form-table">', esc_html__( 'Secrets', 'laurel' ) );
	foreach ( array( 'hook_secret' => __( 'Secret of webhooks', 'laurel' ), 'user_secret' => __( 'Secret of tokens', 'laurel' ) ) as $name => $label ) {
		$hint = laurel_setting( $name ) ? __( 'set; empty keeps it', 'laurel' ) : '';
		printf( $row . '<input class="regular-text" id="laurel-%1$s" name="laurel[%1$s]" type="password" placeholder="%3$s" autocomplete="off"></td></tr>', esc_attr( $name ), esc_html( $label ), esc_attr( $hint ) );
	}
	echo '</table></details>';
	submit_button();
	echo '</form>';
}
/** Says how reports are sent, and sends them again. */
function laurel_sending() {
	$error = get_option( 'laurel_error', '' );
	if ( $error ) {
		/* translators: %s: an error */
		printf( '<p>%s</p>', esc_html( sprintf( __( 'The last error: %s', 'laurel' ), $error ) ) );
	}
	$next = wp_next_scheduled( 'laurel_send', array( 20 ) );
	if ( ! laurel_finisher() ) {
		/* translators: %s: a time */
		$when = $next ? sprintf( __( 'Sent by a request of the site to itself, else by WP-Cron, next at %s.', 'laurel' ), wp_date( 'H:i:s', $next ) ) : __( 'Sent by a request of the site to itself, else by WP-Cron.', 'laurel' );
		printf( '<p>%s</p>', esc_html( $when ) );
	}
	printf( '<form method="post" action="%s"><input type="hidden" name="action" value="laurel_again">', esc_url( admin_url( 'admin-post.php' ) ) );
	wp_nonce_field( 'laurel_again' );
	submit_button( __( 'Send the last two days again', 'laurel' ), 'secondary' );
	echo '</form>';
}
add_action( 'admin_post_laurel_again', function () {
	global $wpdb;
	current_user_can( 'manage_options' ) || wp_die( '', '', 403 );
	check_admin_referer( 'laurel_again' );
	$wpdb->query( "UPDATE {$wpdb->prefix}laurel_queue SET sent = 0, due = 0, tries = 0" );
	laurel_queue( array( 'users' => laurel_users( array( get_current_user_id() ) ) ) ); // shows that it works
	wp_safe_redirect( admin_url( 'options-general.php?page=laurel' ) );
	exit;
} );
