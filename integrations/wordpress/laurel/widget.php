<?php
/** The widget, for sidebars without blocks. */
defined( 'ABSPATH' ) || exit;
/** Shows an element that is chosen in its form. */
class Laurel_Widget extends WP_Widget {
	public function __construct() {
		parent::__construct( 'laurel', __( 'Laurel leaderboards', 'laurel' ), array( 'show_instance_in_rest' => true ) );
	}
	/** Shows the element in its sidebar. */
	public function widget( $args, $instance ) {
		$html = laurel_element( $instance['show'] ?? 'board', $instance );
		if ( '' !== $html ) {
			$title = apply_filters( 'widget_title', $instance['title'] ?? '', $instance, $this->id_base );
			echo $args['before_widget'] . ( $title ? $args['before_title'] . esc_html( $title ) . $args['after_title'] : '' ) . $html . $args['after_widget']; // phpcs:ignore WordPress.Security.EscapeOutput
		}
	}
	/** Returns the valid choices to keep. */
	public function update( $given, $old ) {
		$show   = isset( laurel_kinds()[ $given['show'] ?? '' ] ) ? $given['show'] : 'board';
		$tabs   = implode( ' ', (array) ( $given['windows'] ?? array() ) );
		$chosen = laurel_chosen( $show, array( 'windows' => $tabs ) + $given );
		return array( 'title' => sanitize_text_field( $given['title'] ?? '' ), 'show' => $show ) + $chosen;
	}
	/** Shows the form. */
	public function form( $instance ) {
		$words  = laurel_choices();
		$tabs   = explode( ' ', $instance['windows'] ?? 'day month' );
		$kinds  = array_map( fn( $kind ) => $kind[1], laurel_kinds() );
		$labels = laurel_labels();
		printf( '<p><label>%s <input class="widefat" name="%s" value="%s"></label></p>', esc_html__( 'Title', 'laurel' ), esc_attr( $this->get_field_name( 'title' ) ), esc_attr( $instance['title'] ?? '' ) );
		$this->select( 'show', __( 'Show', 'laurel' ), $kinds, $instance['show'] ?? 'board' );
		$this->select( 'board', $labels['board'], $words['board'], $instance['board'] ?? laurel_setting( 'board' ) );
		printf( '<fieldset><legend>%s</legend>', esc_html( $labels['windows'] ) );
		foreach ( $words['window'] as $window => $word ) {
			printf( '<label><input type="checkbox" name="%s[]" value="%s"%s> %s</label> ', esc_attr( $this->get_field_name( 'windows' ) ), esc_attr( $window ), checked( in_array( $window, $tabs, true ), true, false ), esc_html( $word ) );
		}
		echo '</fieldset>';
		$this->select( 'window', $labels['window'], 'winners' === ( $instance['show'] ?? '' ) ? array_intersect_key( $words['window'], array_flip( LAUREL_ENDING ) ) : $words['window'], $instance['window'] ?? 'month' );
		$this->select( 'layout', $labels['layout'], $words['layout'], $instance['layout'] ?? 'table' );
		printf( '<p><label>%s <input type="number" min="1" max="100" name="%s" value="%d"></label></p>', esc_html( $labels['limit'] ), esc_attr( $this->get_field_name( 'limit' ) ), (int) ( $instance['limit'] ?? 10 ) );
	}
	private function select( $name, $label, array $options, $chosen ) {
		printf( '<p><label>%s <select class="widefat" name="%s">', esc_html( $label ), esc_attr( $this->get_field_name( $name ) ) );
		foreach ( $options as $value => $word ) {
			printf( '<option value="%s"%s>%s</option>', esc_attr( $value ), selected( $value, $chosen, false ), esc_html( $word ) );
		}
		echo '</select></label></p>';
	}
}
add_action( 'widgets_init', fn() => register_widget( 'Laurel_Widget' ) );
/** Returns the names of the choices. */
function laurel_labels() {
	return array( 'board' => __( 'Board', 'laurel' ), 'windows' => __( 'Windows', 'laurel' ), 'window' => __( 'Window', 'laurel' ), 'layout' => __( 'Layout', 'laurel' ), 'limit' => __( 'Rows', 'laurel' ) );
}
