"""Speed, as ratios inside one run: `make bench`. Never asserted, the machines are shared and noisy."""
