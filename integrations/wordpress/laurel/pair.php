<?php
/** Pairing: the owner types Laurel's address and a code, for which the site gets the secrets; and how reporting is. */
defined( 'ABSPATH' ) || exit;
/** Pairs. Returns '', or the error, in the owner's words. */
function laurel_pair( $url, $code ) {
	$url  = untrailingslashit( esc_url_raw( trim( $url ), array( 'http', 'https' ) ) );
	$host = trim( (string) wp_parse_url( $url, PHP_URL_HOST ), '[]' );
	$here = in_array( $host, array( 'localhost', '::1' ), true ) || ( filter_var( $host, FILTER_VALIDATE_IP ) && 0 === strpos( $host, '127.' ) );
	if ( '' === $host || ( ! $here && 'https' !== wp_parse_url( $url, PHP_URL_SCHEME ) ) ) {
		return __( 'The address has to begin with https://, as secrets come from there. Only for a Laurel on this server it may be http://localhost:8080.', 'laurel' );
	}
	$headers = array( 'Content-Type' => 'application/json' );
	$body    = wp_json_encode( array( 'code' => trim( $code ) ) );
	$answer  = wp_remote_post( "$url/v1/pair", compact( 'headers', 'body' ) + array( 'timeout' => 10, 'redirection' => 0 ) );
	$got     = json_decode( wp_remote_retrieve_body( $answer ), true );
	if ( 200 !== wp_remote_retrieve_response_code( $answer ) || empty( $got['hookSecret'] ) ) {
		return laurel_words( laurel_fault( $answer ) );
	}
	update_option( 'laurel', array( 'groups' => laurel_roles(), 'url' => $url, 'board' => laurel_setting( 'board' ) ?: $got['board'], 'hook_secret' => $got['hookSecret'], 'user_secret' => $got['userSecret'] ?? '' ) );
	delete_option( 'laurel_error' );
	return '';
}
/** Returns an owner's remedy for an error: a status with a body, or the reason why there was no answer. */
function laurel_words( $error ) {
	$known = array(
		'/pairing_refused|^422 /' => __( 'The code is wrong, was used, or is older than ten minutes. Make another one: laurel pair.', 'laurel' ),
		'/tls_required/'          => __( 'Laurel sends secrets over https only: type its https address.', 'laurel' ),
		'/^401 /'                 => __( 'Laurel does not know this site’s secret, or a clock is wrong. Pair again.', 'laurel' ),
		'/^(200|404|405) /'       => __( 'There is no Laurel at this address.', 'laurel' ),
		'/^501 /'                 => __( 'This Laurel has no secret for plugins. Let laurel serve make its secrets, or run laurel pair for the stack.', 'laurel' ),
		'/^429 /'                 => __( 'Laurel takes no more requests at the moment. Try again in a minute.', 'laurel' ),
		'/^\d{3} /'               => __( 'Laurel answers with an error.', 'laurel' ),
		'/./'                     => __( 'Laurel does not answer. Does it run, and can this server reach the address?', 'laurel' ),
	);
	foreach ( $known as $form => $words ) {
		if ( preg_match( $form, $error ) ) {
			return "$words ($error)";
		}
	}
	return '';
}
/** Returns how reporting is. */
function laurel_status() {
	global $wpdb;
	$table = "{$wpdb->prefix}laurel_queue";
	$first = $wpdb->get_row( "SELECT COUNT(*) waiting, MIN(id) id, MAX(tries) tries FROM $table WHERE sent = 0" );
	$last  = (int) $wpdb->get_var( "SELECT MAX(due) FROM $table WHERE sent = 1" );
	if ( ! laurel_setting( 'url' ) || ! laurel_setting( 'hook_secret' ) ) {
		return __( 'Not paired yet.', 'laurel' );
	}
	/* translators: %s: a time, such as 12 seconds */
	$when = $last ? sprintf( __( 'last report %s ago', 'laurel' ), human_time_diff( $last ) ) : __( 'no report yet', 'laurel' );
	/* translators: %1$s: when the last report was, %2$d: how many wait */
	$text  = sprintf( __( '%1$s, %2$d waiting', 'laurel' ), $when, $first->waiting );
	$error = preg_replace( '/^\S+ /', '', get_option( 'laurel_error', '' ) ); // its moment
	return ( $first->tries ? "$text. " . laurel_words( $error ) . ' ' : "$text, " ) . laurel_equal();
}
/** Shows the form; after a pairing that failed with the typed values. */
function laurel_pair_form() {
	list( $url, $code ) = get_transient( 'laurel_pairing_' . get_current_user_id() ) ?: array( laurel_setting( 'url' ), '' );
	delete_transient( 'laurel_pairing_' . get_current_user_id() );
	printf( '<h2>%s</h2><p>%s</p>', esc_html__( 'Pairing', 'laurel' ), esc_html__( 'laurel pair prints a code; so does the first start of laurel serve.', 'laurel' ) );
	printf( '<form method="post" action="%s"><input type="hidden" name="action" value="laurel_pair">', esc_url( admin_url( 'admin-post.php' ) ) );
	wp_nonce_field( 'laurel_pair' );
	printf( '<p><label>%s <input class="regular-text" type="url" name="url" required value="%s" placeholder="https://boards.forum.example"></label></p>', esc_html__( 'Address', 'laurel' ), esc_attr( $url ) );
	printf( '<p><label>%s <input name="code" required maxlength="20" value="%s" autocomplete="off" placeholder="ACDE-FHJK-MNPQ"></label></p>', esc_html__( 'Code', 'laurel' ), esc_attr( $code ) );
	submit_button( __( 'Pair', 'laurel' ) );
	echo '</form>';
}
add_action( 'admin_post_laurel_pair', function () {
	current_user_can( 'manage_options' ) || wp_die( '', '', 403 );
	check_admin_referer( 'laurel_pair' );
	$given = wp_unslash( $_POST );
	$wrong = laurel_pair( (string) ( $given['url'] ?? '' ), (string) ( $given['code'] ?? '' ) );
	if ( ! $wrong ) {
		laurel_queue( array( 'users' => laurel_users( array( get_current_user_id() ) ) ) ); // a first report
		update_option( 'laurel_since', time() );
		laurel_compare();
	} else { // the form has the typed values
		set_transient( 'laurel_pairing_' . get_current_user_id(), array_map( 'sanitize_text_field', array( (string) ( $given['url'] ?? '' ), (string) ( $given['code'] ?? '' ) ) ), MINUTE_IN_SECONDS );
	}
	delete_transient( 'laurel_boards' );
	add_settings_error( 'laurel', 'pair', $wrong ?: __( 'Paired.', 'laurel' ), $wrong ? 'error' : 'success' );
	set_transient( 'settings_errors', get_settings_errors(), 30 );
	wp_safe_redirect( admin_url( 'options-general.php?page=laurel&settings-updated=true' ) );
	exit;
} );
