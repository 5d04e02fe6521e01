import { useTexts } from "../sign-in/texts/texts";
import { MessagePage } from "../ui/MessagePage";
import { ServiceErrorPage } from "./error-pages";

/** A page of the service itself, on a path that belongs to no tenant. */
export function ServicePage() {
	const { service, notFound } = useTexts();
	const { pathname, search } = window.location;
	// A link that fails leads to the root if nothing else was asked for, or to a path of an app.
	const isError = pathname === "/error" || new URLSearchParams(search).has("error");
	if (isError) return <ServiceErrorPage />;
	const [{ title, text }, link, url] =
		pathname === "/"
			? ([service, service.console, "/console"] as const)
			: ([notFound, notFound.start, "/"] as const);
	return (
		<MessagePage
			title={title}
			action={
				<a className="button button-primary" href={url}>
					{link}
				</a>
			}
		>
			{text}
		</MessagePage>
	);
}
