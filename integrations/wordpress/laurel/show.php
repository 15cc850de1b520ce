<?php
/** What people see: the board as a block and a shortcode, the token of a visitor, the page of settings. */
defined( 'ABSPATH' ) || exit;
add_action( 'init', function () {
	load_plugin_textdomain( 'laurel', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' ); // before 6.8 nothing else does
	wp_register_script( 'laurel-board', laurel_setting( 'url' ) . '/embed/laurel.js', array(), null, true );
	$needs = array( 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-element', 'wp-i18n', 'wp-server-side-render' );
	wp_register_script( 'laurel-block', plugins_url( 'block.js', __FILE__ ), $needs, '1', true );
	wp_set_script_translations( 'laurel-block', 'laurel', __DIR__ . '/languages' );
	register_block_type( __DIR__, array( 'render_callback' => 'laurel_board' ) );
	add_shortcode( 'laurel', 'laurel_board' );
} );
add_filter( 'script_loader_tag', function ( $tag, $handle ) {
	return 'laurel-board' === $handle ? preg_replace( '/<script( type=.text\/javascript.)?/', '<script type="module"', $tag ) : $tag;
}, 10, 2 );

/** Returns the element of a board: [laurel board="activity" windows="day month" layout="table" limit="10"]. */
function laurel_board( $given ) {
	$names = array( 'board' => laurel_setting( 'board' ) ) + array_fill_keys( array( 'windows', 'window', 'layout', 'limit', 'label', 'friends', 'periods', 'more' ), '' );
	$all   = shortcode_atts( $names, array_filter( (array) $given ), 'laurel' );
	if ( is_user_logged_in() ) {
		$all['user']      = get_current_user_id();
		$all['token-url'] = add_query_arg( '_wpnonce', wp_create_nonce( 'wp_rest' ), rest_url( 'laurel/v1/token' ) );
	}
	wp_enqueue_script( 'laurel-board' );
	$html = '';
	foreach ( array_filter( $all ) as $name => $value ) {
		$html .= " $name=\"" . esc_attr( $value ) . '"';
	}
	return laurel_setting( 'url' ) ? "<laurel-board$html></laurel-board>" : '';
}
add_action( 'rest_api_init', function () { // the cookie and the nonce say who asks
	register_rest_route( 'laurel/v1', '/token', array( 'methods' => 'GET', 'permission_callback' => 'is_user_logged_in', 'callback' => 'laurel_token' ) );
} );
/** Returns a token of the visitor for 15 minutes. */
function laurel_token() {
	if ( strlen( laurel_setting( 'user_secret' ) ) < 32 ) {
		return new WP_Error( 'laurel_no_secret', __( 'The secret of tokens is not set.', 'laurel' ), array( 'status' => 501 ) );
	}
	$claims = array( 'sub' => (string) get_current_user_id(), 'aud' => 'laurel', 'exp' => time() + 15 * MINUTE_IN_SECONDS );
	$encode = fn( $bytes ) => rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	$text   = $encode( '{"alg":"HS256","typ":"JWT"}' ) . '.' . $encode( wp_json_encode( $claims ) );
	$token  = $text . '.' . $encode( hash_hmac( 'sha256', $text, laurel_setting( 'user_secret' ), true ) );
	return new WP_REST_Response( compact( 'token' ), 200, array( 'Cache-Control' => 'no-store' ) );
}
add_action( 'admin_menu', function () {
	add_options_page( 'Laurel', 'Laurel', 'manage_options', 'laurel', 'laurel_page' );
	register_setting( 'laurel', 'laurel', array( 'sanitize_callback' => 'laurel_sanitize' ) );
} );
/** Returns settings as they are kept: a secret that is left empty stays. */
function laurel_sanitize( $given ) {
	$kept = array( 'url' => untrailingslashit( esc_url_raw( $given['url'] ?? '', array( 'http', 'https' ) ) ), 'board' => sanitize_key( $given['board'] ?? '' ) );
	foreach ( array( 'hook_secret', 'user_secret' ) as $name ) {
		$kept[ $name ] = preg_replace( '/\s/', '', (string) ( $given[ $name ] ?? '' ) ) ?: laurel_setting( $name );
	}
	return $kept;
}
/** Shows the page of settings. */
function laurel_page() {
	$labels = array( 'url' => __( 'Address', 'laurel' ), 'board' => __( 'Board', 'laurel' ), 'hook_secret' => __( 'Secret of webhooks', 'laurel' ), 'user_secret' => __( 'Secret of tokens', 'laurel' ) );
	echo '<div class="wrap"><h1>Laurel</h1>';
	laurel_pair_form();
	echo '<form method="post" action="options.php"><table class="form-table">';
	settings_fields( 'laurel' );
	foreach ( $labels as $name => $label ) {
		$secret = false !== strpos( $name, 'secret' );
		$hint   = $secret && laurel_setting( $name ) ? __( 'set; empty keeps it', 'laurel' ) : '';
		printf( '<tr><th><label for="laurel-%1$s">%2$s</label></th><td><input class="regular-text" id="laurel-%1$s" name="laurel[%1$s]" type="%3$s" value="%4$s" placeholder="%5$s" autocomplete="off"></td></tr>',
			esc_attr( $name ), esc_html( $label ), $secret ? 'password' : 'text', esc_attr( $secret ? '' : laurel_setting( $name ) ), esc_attr( $hint ) );
	}
	echo '</table>';
	submit_button();
	/* translators: %s: an error */
	printf( '</form><p>%s</p>', esc_html( sprintf( __( 'The last error: %s', 'laurel' ), get_option( 'laurel_error', '-' ) ) ) );
	$next = wp_next_scheduled( 'laurel_send', array( 20 ) );
	if ( ! laurel_finisher() ) {
		/* translators: %s: a time */
		printf( '<p>%s</p>', esc_html( sprintf( __( 'Sent by a request of the site to itself, else by WP-Cron, next at %s.', 'laurel' ), $next ? wp_date( 'H:i:s', $next ) : '-' ) ) );
	}
	printf( '<form method="post" action="%s"><input type="hidden" name="action" value="laurel_again">', esc_url( admin_url( 'admin-post.php' ) ) );
	wp_nonce_field( 'laurel_again' );
	submit_button( __( 'Send the last two days again', 'laurel' ), 'secondary' );
	echo '</form></div>';
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
