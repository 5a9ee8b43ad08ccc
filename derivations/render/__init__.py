"""A worksheet becomes text: numbers, worked lines, popovers and pages."""
