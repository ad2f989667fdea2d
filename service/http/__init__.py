"""What every route shares: strict input, problem answers, held answers, pages, repeatable creation, headers, logs."""
