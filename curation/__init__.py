"""Which of my labels are wrong? Confident learning, with a person in the loop."""
