<?php
/** Hiding: the profile has a switch by which members leave the leaderboards, and come back. */
defined( 'ABSPATH' ) || exit;
/** Returns 'shown' or 'hidden', as Laurel has it of a member or gets it from now on, and the error. */
function laurel_visibility( $user, $wanted = '' ) {
	$body    = $wanted ? array( 'method' => 'PUT', 'body' => wp_json_encode( array( 'boards' => $wanted ) ) ) : array();
	$headers = array( 'Authorization' => 'Bearer ' . laurel_sign( $user ), 'Content-Type' => 'application/json' );
	$answer  = wp_remote_request( laurel_setting( 'url' ) . "/v1/users/$user/visibility", $body + compact( 'headers' ) + array( 'timeout' => 5, 'redirection' => 0 ) );
	$state   = json_decode( wp_remote_retrieve_body( $answer ), true )['boards'] ?? '';
	return 200 === wp_remote_retrieve_response_code( $answer ) && $state ? array( $state, '' ) : array( '', laurel_fault( $answer ) );
}
/** Returns the text for a member if Laurel does not do it; the owner sees the reason, too. */
function laurel_unheard( $wrong ) {
	$text = __( 'The leaderboards do not answer. Try again in a few minutes; nothing has been changed.', 'laurel' );
	return current_user_can( 'manage_options' ) ? $text . ' ' . laurel_words( $wrong ) : $text;
}
/** Says whether members can hide: Laurel knows them by a token. */
function laurel_hides() {
	return laurel_setting( 'url' ) && strlen( laurel_setting( 'user_secret' ) ) >= 32;
}
add_action( 'show_user_profile', function ( $user ) {
	if ( ! laurel_hides() ) {
		return;
	}
	list( $state, $wrong ) = laurel_visibility( $user->ID );
	printf( '<h2 id="laurel-visibility">%s</h2><table class="form-table"><tr><th>%s</th><td>', esc_html__( 'Leaderboards', 'laurel' ), esc_html__( 'Visibility', 'laurel' ) );
	if ( $wrong ) {
		printf( '<p role="alert">%s</p>', esc_html( laurel_unheard( $wrong ) ) );
	} else {
		printf( '<input type="hidden" name="laurel_was" value="%s"><label><input type="checkbox" name="laurel_shown" value="shown"%s> %s</label><p class="description">%s</p>', esc_attr( $state ), checked( $state, 'shown', false ),
			esc_html__( 'Show me on the leaderboards', 'laurel' ), esc_html__( 'If not, nobody else sees your name and place. Your points are kept and count on.', 'laurel' ) );
	}
	echo '</td></tr></table>';
} );
add_action( 'user_profile_update_errors', function ( $errors, $update, $user ) { // WordPress has checked the nonce
	$was    = sanitize_key( $_POST['laurel_was'] ?? '' ); // phpcs:ignore WordPress.Security.NonceVerification
	$wanted = isset( $_POST['laurel_shown'] ) ? 'shown' : 'hidden'; // phpcs:ignore WordPress.Security.NonceVerification
	if ( $was && $was !== $wanted && $update && get_current_user_id() === (int) $user->ID && laurel_hides() && ! $errors->has_errors() ) {
		$wrong = laurel_visibility( $user->ID, $wanted )[1];
		$wrong && $errors->add( 'laurel', esc_html( laurel_unheard( $wrong ) ) );
	}
}, 99, 3 );
