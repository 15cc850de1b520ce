package archive

// OpenArticle opens an article's data with this body and a checksum that fits.
func OpenArticle(id string, body []byte) (FinalArticle, error) {
	key := articleKey(id)
	return openArticle(key, id, seal(key, formatArticle, body))
}
