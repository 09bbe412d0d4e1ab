"""Import from Payload CMS: read its export, convert the documents and store them as records."""
