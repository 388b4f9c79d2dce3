"""What speed claims rest on; each module prints its figures and gives them as a dict."""
