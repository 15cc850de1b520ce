import { apiInitializer } from "discourse/lib/api";
import LaurelBoard from "../components/laurel-board";
import LaurelHide from "../components/laurel-hide";

export default apiInitializer((api) => {
  const url = settings.laurel_url.trim().replace(/\/+$/, "");
  if (!url) {
    return;
  }
  // A script that a trusted one adds is trusted by Discourse's policy; an address need not be in it.
  const module = document.createElement("script");
  module.type = "module";
  module.src = `${url}/embed/laurel.js`;
  document.head.append(module);
  api.renderInOutlet(settings.laurel_place, LaurelBoard);
  api.renderInOutlet("user-preferences-profile", LaurelHide);
});
