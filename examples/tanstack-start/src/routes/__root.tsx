import { createRootRoute, HeadContent, Scripts } from "@tanstack/react-router";
import type { ReactNode } from "react";
import style from "../style.css?url";

export const Route = createRootRoute({
	head: () => ({
		meta: [
			{ charSet: "utf-8" },
			{ name: "viewport", content: "width=device-width" },
			{ title: "Tenants" },
		],
		links: [{ rel: "stylesheet", href: style }],
	}),
	shellComponent: Document,
	notFoundComponent: NotFound,
});

function Document({ children }: { children: ReactNode }) {
	return (
		<html lang="en">
			<head>
				<HeadContent />
			</head>
			<body>
				<main>{children}</main>
				<Scripts />
			</body>
		</html>
	);
}

function NotFound() {
	return (
		<>
			<h1>404</h1>
			<p>There is no such tenant.</p>
		</>
	);
}
