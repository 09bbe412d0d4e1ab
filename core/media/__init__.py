"""Files of the website: where they are kept, how they are checked and what is made of them."""
