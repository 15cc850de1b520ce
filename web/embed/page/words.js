// The words of the page for owners; those of boards are in the module.
const own = {
  en: {
    language: "English", title: "Laurel on your pages", about: "Choose what to show, preview it, and copy the code for your page.",
    what: "What to show", show: "Show", board: "Board", tabs: "Tabs", window: "Window", layout: "Layout", rows: "Rows", member: "Member", id: "id, for that member's place",
    earlier: "Earlier periods", more: "Show more", lang: "Language", page: "the page's", accent: "Accent", use: "Use it", theme: "Page",
    aboard: "a leaderboard", standing: "one member's place", heatmap: "one member's days", hot: "hot articles",
    table: "table", podium: "podium", compact: "compact", light: "light", dark: "dark",
    day: "day", week: "week", month: "month", year: "year", all: "all time",
    live: "Preview", copy: "Code to copy", copied: "Copied", button: "Copy",
    module: "For a page: the module, always the newest", strict: "For a page with a strict policy: exactly this module",
    frame: "Without JavaScript: a frame", server: "For a server that builds pages", picture: "A picture", text: "Text and feed",
    example: "An example. A member's days appear here once the member makes them public.", nobody: "Nobody is on the board yet.",
  },
  zh: {
    language: "中文", title: "在你的页面上使用 Laurel", about: "选择要显示的内容，预览，然后复制代码。",
    what: "显示内容", show: "显示", board: "榜单", tabs: "标签", window: "周期", layout: "布局", rows: "行数", member: "成员", id: "成员 id，用于显示自己的名次",
    earlier: "往期", more: "查看更多", lang: "语言", page: "跟随页面", accent: "强调色", use: "启用", theme: "页面",
    aboard: "排行榜", standing: "成员的名次", heatmap: "成员的每日活动", hot: "热门文章",
    table: "表格", podium: "领奖台", compact: "紧凑", light: "浅色", dark: "深色",
    day: "日", week: "周", month: "月", year: "年", all: "总榜",
    live: "效果预览", copy: "复制代码", copied: "已复制", button: "复制",
    module: "用于页面：始终为最新的模块", strict: "用于有严格策略的页面：固定版本的模块",
    frame: "不用 JavaScript：框架", server: "用于在服务器上拼装页面", picture: "图片", text: "文本和订阅",
    example: "示例。成员公开后才会在此显示其每日活动。", nobody: "还没有人上榜。",
  },
  vi: {
    language: "Tiếng Việt", title: "Laurel trên trang của bạn", about: "Chọn nội dung, xem thử rồi sao chép đoạn mã cho trang.",
    what: "Nội dung", show: "Hiển thị", board: "Bảng", tabs: "Thẻ", window: "Kỳ", layout: "Bố cục", rows: "Số dòng", member: "Thành viên", id: "id, để hiện thứ hạng riêng",
    earlier: "Các kỳ trước", more: "Xem thêm", lang: "Ngôn ngữ", page: "theo trang", accent: "Màu nhấn", use: "Dùng màu này", theme: "Trang",
    aboard: "bảng xếp hạng", standing: "thứ hạng của một người", heatmap: "các ngày của một người", hot: "bài viết nổi bật",
    table: "bảng", podium: "bục", compact: "gọn", light: "sáng", dark: "tối",
    day: "ngày", week: "tuần", month: "tháng", year: "năm", all: "mọi thời gian",
    live: "Xem thử", copy: "Đoạn mã", copied: "Đã sao chép", button: "Sao chép",
    module: "Cho một trang: mô-đun luôn mới nhất", strict: "Cho trang có chính sách chặt: đúng mô-đun này",
    frame: "Không dùng JavaScript: khung", server: "Cho máy chủ ghép trang", picture: "Hình ảnh", text: "Văn bản và nguồn tin",
    example: "Ví dụ. Các ngày của một người hiện ở đây khi người đó công khai.", nobody: "Chưa có ai trên bảng.",
  },
};

export const languages = Object.entries(own).map(([tag, { language }]) => [tag, language]);
const asked = new URLSearchParams(location.search).get("lang");
export const lang = [asked, ...navigator.languages.map((l) => l.split("-")[0]), "en"].find((l) => own[l]);
export const say = own[lang];
