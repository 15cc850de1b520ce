package codec_test

import (
	"encoding/binary"
	"fmt"

	"laurel/shared/core/codec"
)

func Example() {
	const key = "scores#1" // the key that the value is stored under
	b := codec.AppendID(nil, "ada")
	b = binary.AppendUvarint(b, 300)
	sealed := codec.Seal(b, key)

	r, err := codec.Open(sealed, key)
	if err != nil {
		panic(err)
	}
	user, score := r.ID(), r.Uvarint()
	fmt.Println(user, score, r.Done())

	_, err = codec.Open(sealed, "scores#2")
	fmt.Println(err)
	// Output:
	// ada 300 <nil>
	// damaged data: checksum does not match
}
