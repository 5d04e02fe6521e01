import "../design/pages.css";
import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root") as HTMLElement).render(<h1>Sign in</h1>);
