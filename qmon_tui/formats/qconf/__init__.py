"""What `qconf -s*` prints and `-A*`/`-M*` reads (validation/formats.md): text to objects and back, byte for byte."""
