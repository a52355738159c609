"""Why: what a finished run says about one task, term by term and place by place."""
