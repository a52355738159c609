"""What `qconf -s*` prints and `-A*`/`-M*` reads (formats.md#layouts): text to objects and back, byte for byte."""
