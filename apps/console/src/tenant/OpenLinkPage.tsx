import { useState } from "react";
import { AuthPage } from "../sign-in/layout";
import { useTenant } from "../sign-in/tenant-context";
import { Filled } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";

type OpenLinkPageProps = {
	/** Also the label of the button. */
	title: string;
	/** With a place for the name of the tenant. */
	text: string;
	/** The path of the API that the link is for. */
	path: string;
	/** The query of the link. The server checks where it leads afterwards. */
	link: string;
};

/**
 * Opens the link of an email when the user asks for it. Programs that look into emails open all links, some
 * with a browser. They would use it up, or confirm what nobody has read. They press no buttons.
 */
export function OpenLinkPage({ title, text, path, link }: OpenLinkPageProps) {
	const { options } = useTenant();
	const [isOpening, setOpening] = useState(false);
	const open = () => {
		setOpening(true);
		window.location.assign(`/api/auth${path}?${new URLSearchParams(link)}`);
	};
	return (
		<AuthPage title={title}>
			<p>
				<Filled text={text}>
					<strong className="break">{options.tenant.name}</strong>
				</Filled>
			</p>
			<Button kind="primary" wide busy={isOpening} onClick={open}>
				{title}
			</Button>
		</AuthPage>
	);
}
