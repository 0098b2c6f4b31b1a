def add_to(corpus):
    pass
