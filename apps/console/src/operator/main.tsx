import "../design/pages.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<h1>Console</h1>
	</StrictMode>,
);
