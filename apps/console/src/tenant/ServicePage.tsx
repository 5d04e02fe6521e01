import { Filled, useTexts } from "../sign-in/texts/texts";
import { MessagePage } from "../ui/MessagePage";
import { ServiceErrorPage } from "./error-pages";
import { FindOrganization } from "./FindOrganization";

/** A page of the service itself, on a path that belongs to no tenant. */
export function ServicePage() {
	const { pathname, search } = window.location;
	// A link that fails leads to the root if nothing else was asked for, or to a path of an app.
	const isError = pathname === "/error" || new URLSearchParams(search).has("error");
	if (isError) return <ServiceErrorPage />;
	return pathname === "/" ? <StartPage /> : <UnknownPage />;
}

function StartPage() {
	const { service } = useTexts();
	return (
		<MessagePage
			title={service.title}
			action={
				<>
					<FindOrganization />
					<p className="muted small">
						<Filled text={service.operators}>
							<a href="/console">{service.console}</a>
						</Filled>
					</p>
				</>
			}
		>
			{service.text}
		</MessagePage>
	);
}

function UnknownPage() {
	const { notFound } = useTexts();
	return (
		<MessagePage
			title={notFound.title}
			action={
				<a className="button button-primary" href="/">
					{notFound.start}
				</a>
			}
		>
			{notFound.text}
		</MessagePage>
	);
}
